import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSnapshot, type ClusterSnapshot } from '../../../impact';
import { withConnection } from '../../cluster/cluster-connection';
import { reasonOf, UnavailableError, type Io } from '../../io/io';
import { type ImpactOptions } from './impact-options';
import { takeSnapshot } from './take-snapshot';

/** A cluster of which an impact is wanted: its snapshot, or why there is none. */
export type SnapshotResult =
  | { readonly cluster: string; readonly snapshot: ClusterSnapshot }
  | { readonly cluster: string; readonly reason: string };

/** Returns the snapshots of the options, of files first: one that cannot be read does not stop the others. */
export async function readSnapshots(
  { snapshot = [], live, context = [], kubeconfig }: ImpactOptions,
  io: Io,
): Promise<readonly SnapshotResult[]> {
  const files = snapshot.map((file) => readSnapshotFile(file, io));
  const contexts = context.length > 0 ? context : live ? [undefined] : [];
  const clusters = await Promise.all(
    contexts.map(async (name): Promise<SnapshotResult> => {
      const cluster = name ?? 'of the current context';
      try {
        const options = {
          ...(kubeconfig !== undefined && { kubeconfig }),
          ...(name !== undefined && { context: name }),
        };
        return {
          cluster,
          snapshot: await withConnection(options, io, (connection) => takeSnapshot(connection, cluster)),
        };
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        return { cluster, reason: error.message };
      }
    }),
  );
  return [...files, ...clusters];
}

function readSnapshotFile(file: string, io: Io): SnapshotResult {
  try {
    const snapshot = parseSnapshot(readFileSync(resolve(io.cwd, file), 'utf8'));
    return typeof snapshot === 'string' ? { cluster: file, reason: snapshot } : { cluster: snapshot.name, snapshot };
  } catch (error) {
    return { cluster: file, reason: reasonOf(error) };
  }
}
