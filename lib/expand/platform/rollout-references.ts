import { type PlatformManifest, type Problem } from '../../api';
import { offeredRemedy } from './project-references';

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
      ...{ reason: 'is not a tier of this Platform', remedy: offeredRemedy(one.value, offered) },
    }));
  const unknown: Problem[] = (projects.length === 0 ? [] : named)
    .filter(({ value }) => !projects.includes(value))
    .map((one) => ({
      ...{ code: 'unknown-reference', ...one, severity: 'warning' },
      ...{ reason: 'is not a Project that was given', remedy: offeredRemedy(one.value, projects) },
    }));
  return [...problems, ...unknown].map((problem) => ({ ...problem, object: 'Platform cluster' }));
}
