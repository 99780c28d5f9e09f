import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageName } from './package-name';

/** Returns the version in the nearest package.json of pinion above this file. */
export const ownVersion = (): string => versionOf(__dirname);

function versionOf(folder: string): string {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    if (name === packageName && typeof version === 'string') return version;
  } catch {
    // No package.json here: look further up.
  }
  return dirname(folder) === folder ? 'unknown' : versionOf(dirname(folder));
}
