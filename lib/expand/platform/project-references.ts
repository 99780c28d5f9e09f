import { isProtectedStage, nearest, type PlatformManifest, type Problem } from '../../api';
import { suggestValues } from '../policies/rule-paths';
import { type PlatformContext } from '../project-context';

type ProjectSpec = PlatformManifest<'Project'>['spec'];
type PlatformSpec = PlatformManifest<'Platform'>['spec'];

const remedyOf = (value: string, offered: readonly string[]): string => {
  const guess = nearest(value, offered);
  return guess === undefined ? suggestValues(offered) : `did you mean "${guess}"?`;
};

/** Warns about unknown tiers: they allow nothing, and another cluster of the Project may have them. */
function tierProblems({ tiers }: ProjectSpec, platform: PlatformSpec): Problem[] {
  const offered = platform.tiers.map(({ name }) => name);
  return tiers.flatMap((value, index) => {
    if (offered.includes(value)) return [];
    const path = ['spec', 'tiers', index];
    const [reason, remedy] = ['is not a tier of this Platform', remedyOf(value, offered)];
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
  const remedy = remedyOf(defaultPool, offered);
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

/**
 * Reports tiers of a rollout policy that the Platform does not have, and warns about projects of waves that are not among the Projects
 * of the cluster. Without any Project, they are not known.
 */
export function rolloutReferenceProblems(
  { spec }: PlatformManifest<'Platform'>,
  projects: readonly string[],
): readonly Problem[] {
  const { waves = [], budget } = spec.rollouts ?? {};
  const tiers = [
    ...waves.flatMap(({ tiers: names = [] }, index) =>
      names.map((value, at) => ({ value, path: ['spec', 'rollouts', 'waves', index, 'tiers', at] })),
    ),
    ...Object.keys(budget?.unready ?? {}).map((value) => ({
      value,
      path: ['spec', 'rollouts', 'budget', 'unready', value],
    })),
  ];
  const named = waves.flatMap(({ projects: names = [] }, index) =>
    names.map((value, at) => ({ value, path: ['spec', 'rollouts', 'waves', index, 'projects', at] })),
  );
  const offered = spec.tiers.map(({ name }) => name);
  const problems: Problem[] = tiers
    .filter(({ value }) => !offered.includes(value))
    .map((one) => ({
      ...{ code: 'not-available', ...one },
      ...{ reason: 'is not a tier of this Platform', remedy: remedyOf(one.value, offered) },
    }));
  const unknown: Problem[] = (projects.length === 0 ? [] : named)
    .filter(({ value }) => !projects.includes(value))
    .map((one) => ({
      ...{ code: 'unknown-reference', ...one, severity: 'warning' },
      ...{ reason: 'is not a Project that was given', remedy: remedyOf(one.value, projects) },
    }));
  return [...problems, ...unknown].map((problem) => ({ ...problem, object: 'Platform cluster' }));
}
