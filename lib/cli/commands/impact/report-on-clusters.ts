import { isError, ProblemsError } from '../../../api';
import { snapshotSides, type AppliedManifests, type ClusterImpact, type ClusterSnapshot } from '../../../impact';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { readManifests, type ReadManifests } from '../../input/read-manifests';
import { type Io } from '../../io/io';
import { problemLines } from '../../output/tally';
import { type ImpactOptions } from './impact-options';
import { documentOf, duplicatesOf } from './impact-sides';
import { impactWithProgress, printImpact } from './print-impact';
import { readSnapshots } from './read-snapshots';

type Unreachable = { readonly cluster: string; readonly reason: string };

/** Prints the impact of applying the inputs to clusters. */
export async function reportOnClusters(inputs: readonly string[], options: ImpactOptions, io: Io): Promise<ExitCode> {
  if (options.platform !== undefined)
    throw new UsageError('--platform has no effect on clusters; name its file as an input, which is applied to each');
  const read = await readManifests(inputs, options, io);
  const problems = read.inputs.problems.filter(isError);
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (read.inputs.isUnavailable) return exitCodes.unavailable;
  if (problems.length > 0) return exitCodes.usage;
  const applied = appliedManifests(read);
  const clusters: ClusterImpact[] = [];
  const unreachable: Unreachable[] = [];
  for (const result of await readSnapshots(options, io)) {
    const impact = 'reason' in result ? result : await impactOn(result.snapshot, applied, io);
    if ('reason' in impact) unreachable.push(impact);
    else clusters.push(impact);
  }
  return printImpact({ clusters, unreachable, notes: [...read.notes, platformNote(read)] }, options, io);
}

async function impactOn(
  snapshot: ClusterSnapshot,
  applied: AppliedManifests,
  io: Io,
): Promise<ClusterImpact | Unreachable> {
  try {
    const { before, after } = snapshotSides(snapshot, applied);
    return await impactWithProgress(before, after, io);
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return { cluster: snapshot.name, reason: error.message.split('\n')[0] ?? error.message };
  }
}

/** Returns which Platform each side has: one beside the inputs is not applied. */
function platformNote({ inputs }: ReadManifests): string {
  const applied = inputs.documents.find((one) => one.is === 'platform' && one.manifest.kind === 'Platform');
  const later = applied?.read.locate([]).file;
  return later === undefined ? 'platform: that of the cluster' : `platform: that of the cluster before, ${later} after`;
}

/** Returns the manifests of inputs; those beside them are not applied. */
function appliedManifests({ inputs }: ReadManifests): AppliedManifests {
  const label = inputs.documents.length === 0 ? 'the same' : 'with the inputs applied';
  const workloads = inputs.documents.filter(({ is }) => is === 'workload').map(({ value }) => documentOf(value));
  return {
    label,
    platform: inputs.documents.flatMap((document) => (document.is === 'platform' ? [document.manifest] : [])),
    workloads,
    unread: duplicatesOf(workloads, 'the inputs'),
  };
}
