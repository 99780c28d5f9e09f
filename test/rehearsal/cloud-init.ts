import { gunzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { type Machine } from './machine';

/** As much of `#cloud-config` as our user data has. */
interface CloudConfig {
  readonly packages?: readonly string[];
  readonly write_files: readonly { readonly path: string; readonly permissions: string; readonly content: string }[];
  readonly runcmd: readonly (readonly string[])[];
}

/**
 * Does to a machine what cloud-init does with its user data: files, then commands. Packages are not installed, as there
 * is no network to get them from.
 *
 * @param userData as a launch template has it: compressed, in base64
 */
export async function carryOut(userData: string, machine: Machine): Promise<void> {
  const text = gunzipSync(Buffer.from(userData, 'base64')).toString('utf8');
  if (!text.startsWith('#cloud-config\n')) throw new Error('this is no user data for cloud-init');
  const { write_files, runcmd } = load(text) as CloudConfig;
  for (const { path, permissions, content } of write_files)
    machine.write(path, content, Number.parseInt(permissions, 8));
  for (const [program = '', ...args] of runcmd) await machine.demand(program, ...args);
}
