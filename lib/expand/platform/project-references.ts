import { nearest, type PlatformManifest, type Problem } from '../../api';
import { suggestValues } from '../policies/rule-paths';
import { type PlatformContext } from '../project-context';

const remedyOf = (value: string, offered: readonly string[]): string => {
  const guess = nearest(value, offered);
  return guess === undefined ? suggestValues(offered) : `did you mean "${guess}"?`;
};

/**
 * Reports tiers and pools of a Project that the Platform does not have. An unknown tier is a warning: it allows nothing,
 * and another cluster of the Project may have it.
 */
export function projectReferenceProblems(
  { metadata, spec }: PlatformManifest<'Project'>,
  { platform }: Pick<PlatformContext, 'platform'>,
): readonly Problem[] {
  const tiers = platform.spec.tiers.map(({ name }) => name);
  const pools = platform.spec.pools.map(({ name }) => name);
  const { defaultPool } = spec;
  const common = { code: 'unknown-reference', object: `Project ${metadata.name}` } as const;
  const problems = spec.tiers.flatMap((value, index): Problem[] =>
    tiers.includes(value)
      ? []
      : [
          {
            ...common,
            path: ['spec', 'tiers', index],
            value,
            reason: 'is not a tier of this Platform',
            remedy: remedyOf(value, tiers),
            severity: 'warning',
          },
        ],
  );
  if (defaultPool === undefined || pools.includes(defaultPool)) return problems;
  const reason = 'is not a node pool of this Platform; pods without a pool would run on any node';
  const remedy = remedyOf(defaultPool, pools);
  return [...problems, { ...common, path: ['spec', 'defaultPool'], value: defaultPool, reason, remedy }];
}
