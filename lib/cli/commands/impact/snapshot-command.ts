import { clusterOptions, withConnection } from '../../cluster/cluster-connection';
import { defineCommand } from '../../command/command';
import { exitCodes } from '../../command/exit-codes';
import { noteLines } from '../../output/tally';
import { takeSnapshot } from './take-snapshot';

/** `pinion impact snapshot`. */
export const snapshotCommand = defineCommand({
  description: `Writes JSON to standard output: the custom resources and definitions of pinion, the objects with pods that it created, nodes and quotas, each with the status fields that an impact needs, and the sums of the requests of the pods on each node. It reads neither Secrets nor ConfigMaps. Variables and arguments of workloads are part of their specs, so keep the file where the manifests may be read.

The snapshot does not depend on the version of pinion. What could not be read is listed in it, and is unknown in each report.`,
  options: clusterOptions,
  examples: [{ command: 'pinion impact snapshot --context production-1 > production-1.json' }],
  exitCodes: {
    unavailable: 'the cluster cannot be reached',
    unknown: 'written, but a part of the cluster could not be read',
  },
  async run({ options }, io) {
    const { context } = options;
    const snapshot = await withConnection(options, io, (connection) =>
      takeSnapshot(connection, context ?? 'of the current context'),
    );
    await io.write(`${JSON.stringify(snapshot)}\n`);
    io.writeError(noteLines(snapshot.unread.map((line) => `unknown: ${line}`)));
    return snapshot.unread.length > 0 ? exitCodes.unknown : exitCodes.success;
  },
});
