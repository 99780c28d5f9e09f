import { isDeepStrictEqual } from 'node:util';
import { type PlatformManifest } from '../../../api';
import { workloadKeyOf, type ImpactDocument, type ImpactSide } from '../../../impact';
import { UsageError } from '../../command/usage-error';
import { groupBy } from '../../output/group-by';
import { type Side } from '../diff/compare-inputs';
import { pinionDefinitionsOf } from './definition-verdict';

/** Returns a side of inputs for an impact; undefined if its Platform has errors. */
export function impactSide({ label, inputs, known }: Side): ImpactSide | undefined {
  if (!known.cluster) return undefined;
  const workloads = inputs.documents.filter(({ is }) => is === 'workload').map(({ value }) => documentOf(value));
  const projects = inputs.documents.flatMap((document) =>
    document.is === 'platform' && document.manifest.kind === 'Project' ? [document.manifest.metadata.name] : [],
  );
  const definitions = pinionDefinitionsOf(inputs.documents.map(({ value }) => value));
  return { label, cluster: known.cluster, workloads, projects, definitions, unread: duplicatesOf(workloads, label) };
}

/** Returns a line if neither side of files has a workload: nothing is known of those of the cluster. */
export const withoutWorkloads = (before: ImpactSide, after: ImpactSide): readonly string[] =>
  before.workloads.length + after.workloads.length > 0
    ? []
    : ['no workloads of the inputs were compared; add the workloads of the cluster to the inputs'];

/**
 * Throws a `UsageError` if the Platforms among the inputs differ, and `--platform` replaces one of them: the change would not be
 * compared.
 */
export function refuseHiddenPlatforms(before: Side, after: Side): void {
  const [one, other] = [before, after].map(platformOf);
  const isHidden = [before, after].some((side) => {
    const own = platformOf(side);
    return own !== undefined && !isDeepStrictEqual(own.spec, side.known.cluster?.platform.spec);
  });
  if (!before.isPlatformNamed || !isHidden || isDeepStrictEqual(one?.spec, other?.spec)) return;
  throw new UsageError(
    `--platform replaces the Platforms of ${before.label} and ${after.label}, which differ; omit --platform to compare them`,
  );
}

const platformOf = ({ inputs }: Side): PlatformManifest | undefined =>
  inputs.documents.flatMap((document) =>
    document.is === 'platform' && document.manifest.kind === 'Platform' ? [document.manifest] : [],
  )[0];

/** Returns a line for each workload that has several documents, of which only the last one is compared. */
export function duplicatesOf(workloads: readonly ImpactDocument[], label: string): readonly string[] {
  return [...groupBy(workloads, workloadKeyOf)].flatMap(([name, documents]) =>
    documents.length > 1 ? [`${name}: ${documents.length} documents in ${label} have this name; keep one`] : [],
  );
}

/** Returns a manifest without its status: files do not have the one of a cluster. */
export function documentOf(value: Readonly<Record<string, unknown>>): ImpactDocument {
  const { kind, metadata, spec } = value as { kind: string; metadata?: ImpactDocument['metadata']; spec?: unknown };
  return { kind, metadata: metadata ?? { name: '(without a name)' }, spec };
}
