import { gunzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { type Machine } from './machine';

/** Subset of `#cloud-config` that the user data uses. */
interface CloudConfig {
  readonly packages?: readonly string[];
  readonly write_files: readonly { readonly path: string; readonly permissions: string; readonly content: string }[];
  readonly runcmd: readonly (readonly string[])[];
}

/**
 * Applies user data to a machine as cloud-init does: files, then commands. Packages are not installed, because there
 * is no network.
 *
 * @param userData as in a launch template: compressed and base64-encoded
 */
export async function applyUserData(userData: string, machine: Machine): Promise<void> {
  const text = gunzipSync(Buffer.from(userData, 'base64')).toString('utf8');
  if (!text.startsWith('#cloud-config\n')) throw new Error('not cloud-init user data');
  const { write_files, runcmd } = load(text) as CloudConfig;
  for (const { path, permissions, content } of write_files)
    machine.write(path, content, Number.parseInt(permissions, 8));
  for (const [program = '', ...args] of runcmd) await machine.runOrThrow(program, ...args);
}
