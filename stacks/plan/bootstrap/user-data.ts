import { yamlText } from './text/yaml-text';
import { gzip } from './gzip/gzip';
import { type MachineFile } from './text/machine-file';

/** Maximum bytes of EC2 user data, before base64 encoding. */
export const userDataLimit = 16_384;

/** User data of a machine. */
export interface UserData {
  /** Text for cloud-init, `#cloud-config`. */
  readonly text: string;
  /** Compressed size in bytes. */
  readonly bytes: number;
  /** Compressed text in base64, for a launch template. */
  readonly base64: string;
}

/** Returns user data that installs packages, writes files and starts one unit, now and on each boot. */
export function userData(files: readonly MachineFile[], packages: readonly string[], unit: string): UserData {
  const document = {
    ...(packages.length > 0 && { packages }),
    write_files: files.map(({ path, content, mode }) => ({ path, permissions: mode, content })),
    runcmd: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', '--now', '--no-block', unit],
    ],
  };
  const text = `#cloud-config\n${yamlText(document)}`;
  const compressed = gzip(text);
  return { text, bytes: compressed.length, base64: Buffer.from(compressed).toString('base64') };
}
