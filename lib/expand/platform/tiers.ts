import { type PlatformManifest } from '../../api';

/**
 * Returns the tiers that every project may take: those whose pods preempt none of the default tier. Other tiers are
 * listed in `spec.tiers` of a Project.
 */
export function openTiers({ spec }: PlatformManifest<'Platform'>): readonly string[] {
  const standard = spec.tiers.find(({ name }) => name === spec.defaultTier)?.priority ?? -Infinity;
  return spec.tiers.filter(({ preemption, priority }) => !preemption || priority <= standard).map(({ name }) => name);
}

/** Returns the CEL condition that a tier is one of `openTiers`; `params` is the Platform. */
export const isOpenTier = (tier: string): string =>
  `params.spec.tiers.exists(t, t.name == ${tier} && (!t.preemption || params.spec.tiers.exists(d, d.name == params.spec.defaultTier && t.priority <= d.priority)))`;
