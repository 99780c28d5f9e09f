import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ArtifactStore, FolderBlobStore, prune } from '../../lib/artifact';
import { keyPair, prepared, published, signedWith } from './artifact-fixture';

jest.setTimeout(300_000);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pinion-store-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let programs = '';
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), 'pinion-publisher-'));
  const entryPoints = [join(__dirname, 'publisher.ts')];
  buildSync({ entryPoints, outfile: join(programs, 'publisher.js'), bundle: true, platform: 'node', format: 'cjs' });
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

interface PublisherResult {
  readonly signal: NodeJS.Signals | null;
  readonly outcome?: { isNew?: boolean; digest: string; steps: number; problems: readonly { code: string }[] };
}

/** Publishes shop/web@1.4.2 in a separate process, which is killed before a step unless it has fewer. */
function runPublisher(store: string, step: number, replicas = '2'): Promise<PublisherResult> {
  const child = spawn(process.execPath, [join(programs, 'publisher.js'), store, String(step), replicas], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: join(__dirname, '../../node_modules') },
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((done) => {
    child.on('close', (_, signal) =>
      done({ signal, ...(text !== '' && { outcome: JSON.parse(text) as NonNullable<PublisherResult['outcome']> }) }),
    );
  });
}

test('a publisher killed at any step leaves no partial artifact, and the next one succeeds', async () => {
  const old = prepared({ version: '1.4.1' });
  const other = prepared({ given: { image: 'registry.example.com/shop/cart:1.4.2', replicas: '7' } });
  const key = keyPair();
  let step = 0;
  const seen = new Set<string>();
  for (; ; step++) {
    const store = new ArtifactStore(new FolderBlobStore(join(root, String(step))));
    await store.put(old, signedWith(key, old), published);
    const { signal, outcome } = await runPublisher(store.name, step);
    const found = await store.get('shop/web@1.4.2');
    expect((await store.get('shop/web@1.4.1')).artifact?.digest).toBe(old.digest);
    if (outcome) {
      expect(outcome).toMatchObject({ isNew: true, steps: step });
      expect(found.artifact?.digest).toBe(outcome.digest);
      break;
    }
    expect(signal).toBe('SIGKILL');
    seen.add(found.artifact ? 'found' : 'not found');
    if (found.artifact) {
      expect(found.problems).toEqual([]);
      expect(found.artifact.signatures).toHaveLength(1);
      expect((await store.put(other, signedWith(key, other), published)).problems).toHaveLength(1);
    } else {
      // The next publisher may publish the same or different content under that version.
      const next = step % 2 === 0 ? other : prepared({ given: { image: 'registry.example.com/shop/cart:1.4.2' } });
      expect((await store.put(next, signedWith(key, next), published)).isNew).toBe(true);
      expect((await store.get('shop/web@1.4.2')).artifact?.digest).toBe(next.digest);
    }
    await prune(store, { versions: 10, age: 0 }, Date.now() + 48 * 3_600_000);
    expect(await new FolderBlobStore(store.name).list('.drafts')).toEqual([]);
    expect((await store.storedDigests()).size).toBe(2);
  }
  expect(step).toBeGreaterThan(15);
  expect([...seen].sort()).toEqual(['found', 'not found']);
});

test('concurrent publishers in several processes agree on one content per version', async () => {
  const never = 10_000;
  const ended = await Promise.all(['2', '3', '2', '4'].map((replicas) => runPublisher(root, never, replicas)));
  const outcomes = ended.map(({ outcome }) => outcome);
  const { artifact } = await new ArtifactStore(new FolderBlobStore(root)).get('shop/web@1.4.2');
  expect(outcomes.filter((outcome) => outcome?.isNew)).toHaveLength(1);
  for (const outcome of outcomes)
    expect(outcome?.problems.map(({ code }) => code)).toEqual(
      outcome?.digest === artifact?.digest ? [] : ['duplicate'],
    );
});
