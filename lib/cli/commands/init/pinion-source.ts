import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../command/usage-error';
import { reasonOf, UnavailableError, type Io } from '../../io/io';
import { packageName } from '../../io/package-name';
import { readPackedPackage } from './packed-package';
import { type PinionSource } from './project-choices';

const versionForm = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

/**
 * Parses where a project gets the library from: a version, or a file of `npm pack`, which becomes part of the project.
 * Throws a `UsageError` for another text, and an `UnavailableError` if the file cannot be read.
 */
export function parsePinionSource(text: string, io: Pick<Io, 'cwd'>): PinionSource {
  if (versionForm.test(text)) return { spec: text, version: text };
  if (!/\.(tgz|tar\.gz)$/.test(text))
    throw new UsageError({
      subject: '--pinion',
      reason: 'must be a version such as 0.2.0, or a file of "npm pack"',
      value: text,
    });
  const file = text.replace(/^file:/, '');
  const content = readOrThrow(file, io);
  const packed = readPackedPackage(content);
  if (packed?.name !== packageName)
    throw new UsageError(
      `--pinion: ${file} ${packed ? `contains ${packed.name}` : 'is not a packed package'}, not ${packageName}; run "npm pack" in a checkout of pinion`,
    );
  // It becomes a part of a path.
  if (!versionForm.test(packed.version))
    throw new UsageError(
      `--pinion: ${file} has the version ${JSON.stringify(packed.version)}, which must be a version such as 0.2.0; run "npm pack" in a checkout of pinion`,
    );
  const path = `vendor/pinion-platform-pinion-${packed.version}.tgz`;
  return { spec: `file:${path}`, version: packed.version, file: { path, content } };
}

function readOrThrow(file: string, io: Pick<Io, 'cwd'>): Uint8Array {
  try {
    return readFileSync(resolve(io.cwd, file));
  } catch (error) {
    throw new UnavailableError(`--pinion: ${file} ${reasonOf(error)}`);
  }
}
