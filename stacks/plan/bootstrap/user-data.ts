import { yamlText } from './text/yaml-text';
import { gzip } from './gzip/gzip';
import { type MachineFile } from './text/machine-file';

/** Bytes that EC2 takes as user data, before they are encoded. */
export const userDataLimit = 16_384;

/** User data of a machine. */
export interface UserData {
  /** Text for cloud-init, `#cloud-config`. */
  readonly text: string;
  /** Size of it compressed; at most `userDataLimit`. */
  readonly bytes: number;
  /** It, compressed and encoded, as a launch template takes it. */
  readonly base64: string;
}

/** User data that installs packages, writes files and starts one unit, now and at each start of the machine. */
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
