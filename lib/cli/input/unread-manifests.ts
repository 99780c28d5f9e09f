import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { group, platformFileName } from '../../api';
import { type PlatformContext } from '../../expand';
import { type InputDocuments } from './input-documents';
import { shownPath, standardInput } from './input-files';
import { type TargetCluster } from './target-cluster';
import { type Io } from '../io/io';

/** How many files of a folder are looked at, and how much of each. */
const maxFiles = 200;
const maxBytes = 65_536;

const platformKind = /^kind:\s*["']?(Platform|RuntimeProfile|Project)["']?\s*$/m;
const ownGroup = new RegExp(`^apiVersion:\\s*["']?${group.replaceAll('.', '\\.')}/`, 'm');

/**
 * Returns a line for each file beside the inputs that has manifests of the cluster and was not read, if the Platform or a
 * Project of the inputs is assumed and none was named with --platform; empty if there is none.
 */
export function unreadManifests(
  inputs: InputDocuments,
  { cluster }: Pick<TargetCluster, 'cluster'>,
  platformFile: string | undefined,
  io: Io,
): string {
  if (platformFile !== undefined || !cluster || !isAssumed(inputs, cluster)) return '';
  const read = new Set(inputs.files.filter((file) => file !== standardInput).map((file) => resolve(io.cwd, file)));
  const folders = new Set([...read].map((path) => dirname(path)));
  return (
    [...folders]
      .flatMap(yamlFiles)
      // Found from the working directory, not from the inputs.
      .filter((path) => !read.has(path) && basename(path) !== platformFileName)
      .flatMap((path) => {
        const kind = platformKindIn(path);
        const shown = shownPath(path, io);
        return kind === undefined
          ? []
          : `${shown} has a ${kind} that was not read; name it as an input too to use it\n`;
      })
      .join('')
  );
}

const isAssumed = ({ documents }: InputDocuments, cluster: PlatformContext): boolean =>
  documents.some(({ is, value }) => {
    const { namespace } = (value['metadata'] ?? {}) as { readonly namespace?: unknown };
    if (is !== 'workload' || typeof namespace !== 'string') return false;
    const { assumed } = cluster.project(namespace);
    return assumed.includes('Project') || assumed.includes('Platform');
  });

function yamlFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = entries.map(({ name }) => name).filter((name) => /^[^.].*\.ya?ml$/i.test(name));
    return names
      .sort()
      .slice(0, maxFiles)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Returns the first kind of the platform in a file; undefined if it has none or cannot be read. */
function platformKindIn(path: string): string | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(maxBytes);
      const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, maxBytes, 0));
      return ownGroup.test(text) ? platformKind.exec(text)?.[1] : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
