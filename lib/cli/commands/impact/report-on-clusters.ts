import { isError, ProblemsError } from '../../../api';
import { type CustomResourceDefinition } from '../../../definitions';
import { snapshotSides, type AppliedManifests, type ClusterSnapshot } from '../../../impact';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type DefinitionReport } from '../crds/definition-report';
import { readManifests, type ReadManifests } from '../../input/read-manifests';
import { type Io } from '../../io/io';
import { problemLines } from '../../output/tally';
import { type ImpactOptions } from './impact-options';
import { ownDefinitions } from '../crds/read-definitions';
import { definitionVerdict, pinionDefinitionsOf, refuseUnusedPruning } from './definition-verdict';
import { type ReportedImpact } from './impact-report';
import { documentOf, duplicatesOf } from './impact-sides';
import { impactWithProgress, printImpact } from './print-impact';
import { readSnapshots } from './read-snapshots';

/** Manifests to be applied, with the definitions of this version if they have none. */
interface ApplyingManifests extends AppliedManifests {
  readonly definitions: readonly CustomResourceDefinition[];
  readonly definitionLabel: string;
}

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
  const clusters: ReportedImpact[] = [];
  const allowed = options['allow-pruning'] ?? [];
  const unreachable: Unreachable[] = [];
  for (const result of await readSnapshots(options, io)) {
    const impact = 'reason' in result ? result : await impactOn(result.snapshot, applied, allowed, io);
    if ('reason' in impact) unreachable.push(impact);
    else clusters.push(impact);
  }
  refuseUnusedPruning(
    clusters.map(({ definitions }) => definitions),
    allowed,
  );
  return printImpact({ clusters, unreachable, notes: [...read.notes, platformNote(read)] }, options, io);
}

async function impactOn(
  snapshot: ClusterSnapshot,
  applied: ApplyingManifests,
  allowPruning: readonly string[],
  io: Io,
): Promise<ReportedImpact | Unreachable> {
  try {
    const { before, after } = snapshotSides(snapshot, applied);
    const definitions = verdictOn(snapshot, applied, allowPruning);
    const unread = [...(before.unread ?? []), ...(definitions ? [] : withoutDefinitions(snapshot))];
    const impact = await impactWithProgress({ ...before, unread }, after, io);
    return { ...impact, ...(definitions && { definitions }) };
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return { cluster: snapshot.name, reason: error.message.split('\n')[0] ?? error.message };
  }
}

/** Returns the verdict on the definitions that the change brings; undefined if those of the cluster are not known. */
function verdictOn(
  { name, definitions, resources }: ClusterSnapshot,
  { definitions: after, definitionLabel }: ApplyingManifests,
  allowPruning: readonly string[],
): DefinitionReport | undefined {
  if (!definitions) return undefined;
  const names = new Set(after.map(({ metadata }) => metadata.name));
  // Those that the inputs do not have stay.
  const before = pinionDefinitionsOf(definitions).filter(({ metadata }) => names.has(metadata.name));
  const title = `cluster ${name} (old) → ${definitionLabel} (new)`;
  return definitionVerdict({ before, after, title, objects: resources }, allowPruning);
}

/** A snapshot of a former version lacks definitions; one that may not read them says so itself. */
const withoutDefinitions = ({ unread }: ClusterSnapshot): readonly string[] =>
  unread.some((line) => line.startsWith('CustomResourceDefinition:'))
    ? []
    : ['the snapshot has no definitions; write it again with "pinion impact snapshot"'];

/** Returns which Platform each side has: one beside the inputs is not applied. */
function platformNote({ inputs }: ReadManifests): string {
  const applied = inputs.documents.find((one) => one.is === 'platform' && one.manifest.kind === 'Platform');
  const later = applied?.read.locate([]).file;
  return later === undefined ? 'platform: that of the cluster' : `platform: that of the cluster before, ${later} after`;
}

/** Returns the manifests of inputs; those beside them are not applied. */
function appliedManifests({ inputs }: ReadManifests): ApplyingManifests {
  const label = inputs.documents.length === 0 ? 'the same' : 'with the inputs applied';
  const workloads = inputs.documents.filter(({ is }) => is === 'workload').map(({ value }) => documentOf(value));
  const given = pinionDefinitionsOf(inputs.documents.map(({ value }) => value));
  return {
    label,
    // The controllers of this version come with its definitions.
    definitions: given.length > 0 ? given : ownDefinitions(),
    definitionLabel: given.length > 0 ? 'the inputs' : 'this version of pinion',
    platform: inputs.documents.flatMap((document) => (document.is === 'platform' ? [document.manifest] : [])),
    workloads,
    unread: duplicatesOf(workloads, 'the inputs'),
  };
}
