import { isProtectedStage, nearest, type PlatformManifest, type Problem } from '../../api';
import { suggestValues } from '../policies/rule-paths';
import { type PlatformContext } from '../project-context';

type ProjectSpec = PlatformManifest<'Project'>['spec'];
type PlatformSpec = PlatformManifest<'Platform'>['spec'];

/** Returns the remedy for a name that is not among those that are offered. */
export const offeredRemedy = (value: string, offered: readonly string[]): string => {
  const guess = nearest(value, offered);
  return guess === undefined ? suggestValues(offered) : `did you mean "${guess}"?`;
};

/** Warns about unknown tiers: they allow nothing, and another cluster of the Project may have them. */
function tierProblems({ tiers }: ProjectSpec, platform: PlatformSpec): Problem[] {
  const offered = platform.tiers.map(({ name }) => name);
  return tiers.flatMap((value, index) => {
    if (offered.includes(value)) return [];
    const path = ['spec', 'tiers', index];
    const [reason, remedy] = ['is not a tier of this Platform', offeredRemedy(value, offered)];
    return [{ code: 'unknown-reference', path, value, reason, remedy, severity: 'warning' }];
  });
}

/** Warns about protected stages on a cluster whose controller refuses all their workloads, because it trusts no service. */
function stageProblems({ stages = [] }: ProjectSpec, { cluster, deploymentKeys }: PlatformSpec): Problem[] {
  if (deploymentKeys.length > 0) return [];
  return stages.flatMap((stage, index) => {
    const at = stage.clusters?.indexOf(cluster) ?? -1;
    if (!isProtectedStage(stage) || at < 0) return [];
    const path = ['spec', 'stages', index, 'clusters', at];
    const reason =
      'is a cluster whose Platform has no spec.deploymentKeys, so that it refuses every workload of a protected stage';
    const remedy = 'ask the platform team to add the public key of the submission service';
    return [{ code: 'not-available', path, value: cluster, reason, remedy, severity: 'warning' }];
  });
}

function poolProblems({ defaultPool }: ProjectSpec, platform: PlatformSpec): Problem[] {
  const offered = platform.pools.map(({ name }) => name);
  if (defaultPool === undefined || offered.includes(defaultPool)) return [];
  const reason = 'is not a node pool of this Platform; pods without a pool would run on any node';
  const remedy = offeredRemedy(defaultPool, offered);
  return [{ code: 'unknown-reference', path: ['spec', 'defaultPool'], value: defaultPool, reason, remedy }];
}

/** Reports what a Project expects of the Platform that it does not have: tiers, a pool, and a key for protected stages. */
export const projectReferenceProblems = (
  { metadata, spec }: PlatformManifest<'Project'>,
  { platform }: Pick<PlatformContext, 'platform'>,
): readonly Problem[] =>
  [tierProblems, stageProblems, poolProblems]
    .flatMap((problemsOf) => problemsOf(spec, platform.spec))
    .map((problem) => ({ ...problem, object: `Project ${metadata.name}` }));
