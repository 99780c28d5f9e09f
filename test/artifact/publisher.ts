/**
 * A publisher in a separate process, which is killed at a given step: publisher STORE STEP REPLICAS
 *
 * Every call that changes the folder is a step. At step STEP the process gets SIGKILL before the call, or in the middle of
 * a write. If it is not killed, it prints its result.
 */
import { generateKeyPairSync } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import { ArtifactStore, FolderBlobStore } from '../../lib/artifact';
import { prepared, published, signedWith } from './artifact-fixture';

const [, , store = '', last = '', replicas = '2'] = process.argv;
let step = 0;
const isLast = (): boolean => step++ === Number(last);
const killProcess = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const calls = fs as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
for (const name of ['link', 'mkdir', 'rm']) {
  const real = calls[name];
  calls[name] = (...args) => {
    if (isLast()) killProcess();
    return real?.apply(fs, args) ?? Promise.resolve();
  };
}
const open = fs.open;
(fs as { open: unknown }).open = async (path: string, flags: string, mode?: number): Promise<FileHandle> => {
  if (flags !== 'r' && isLast()) killProcess();
  const file = await open(path, flags, mode);
  const write = file.writeFile.bind(file);
  file.writeFile = async (bytes: unknown) => {
    if (isLast()) {
      await write((bytes as Uint8Array).subarray(0, (bytes as Uint8Array).length / 2));
      killProcess();
    }
    await write(bytes as Uint8Array);
  };
  const sync = file.sync.bind(file);
  file.sync = () => {
    if (isLast()) killProcess();
    return sync();
  };
  return file;
};

async function main(): Promise<void> {
  const artifact = prepared({ given: { image: 'registry.example.com/shop/cart:1.4.2', replicas } });
  const key = generateKeyPairSync('ed25519').privateKey;
  const outcome = await new ArtifactStore(new FolderBlobStore(store)).put(
    artifact,
    signedWith(key, artifact),
    published,
  );
  process.stdout.write(JSON.stringify({ ...outcome, digest: artifact.digest, steps: step }));
}

void main();
