import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const blockDevices = '/sys/block';

/** Lists the backing files of loop devices of this machine. */
export const loopFiles = (): readonly string[] =>
  readdirSync(blockDevices)
    .filter((name) => name.startsWith('loop'))
    .flatMap((name) => {
      try {
        return [basename(readFileSync(join(blockDevices, name, 'loop', 'backing_file'), 'utf8').trim())];
      } catch {
        return []; // the device has no backing file
      }
    });
