import { compareQuantities, formatQuantity, parseQuantity, type Container, type Spec } from '../../api';

/** Requests and limits by resource. */
export interface ContainerDefaults {
  readonly requests: Readonly<Record<string, string | number>>;
  readonly limits: Readonly<Record<string, string | number>>;
}

type DeclaredResources = {
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
  readonly limits?: Readonly<Record<string, string | number>> | undefined;
};

const byTier = new WeakMap<Spec<'Platform'>, Map<string, ContainerDefaults>>();

/** Returns the default resources of a tier, which override the Platform's; cached per tier. */
export function defaultAmounts(platform: Spec<'Platform'>, tier: string): ContainerDefaults {
  let tiers = byTier.get(platform);
  if (!tiers) byTier.set(platform, (tiers = new Map<string, ContainerDefaults>()));
  let amounts = tiers.get(tier);
  if (!amounts) tiers.set(tier, (amounts = makeDefaults(platform, tier)));
  return amounts;
}

function makeDefaults(platform: Spec<'Platform'>, tier: string): ContainerDefaults {
  const own = platform.tiers.find((candidate) => candidate.name === tier)?.resources;
  return {
    requests: { ...platform.resources.requests, ...own?.requests },
    limits: { ...platform.resources.limits, ...own?.limits },
  };
}

/**
 * Returns the requests and limits of a container. Explicit values are kept. A missing CPU request, memory request or
 * memory limit has a default, adjusted so that no request exceeds its limit.
 */
export function withDefaults(declared: DeclaredResources | undefined, defaults: ContainerDefaults): ContainerDefaults {
  const requests: Record<string, string | number> = { ...declared?.requests };
  const limits: Record<string, string | number> = { ...declared?.limits };
  limits['memory'] ??= larger(defaults.limits['memory'] ?? '256Mi', requests['memory']);
  requests['memory'] ??= smaller(defaults.requests['memory'] ?? '128Mi', limits['memory']);
  requests['cpu'] ??= smaller(defaults.requests['cpu'] ?? '100m', limits['cpu']);
  for (const [name, amount] of Object.entries(limits)) {
    if (name !== 'cpu' && name !== 'memory') requests[name] ??= amount;
  }
  return { requests: normalizeAmounts(requests), limits: normalizeAmounts(limits) };
}

/**
 * Returns the container with its requests and limits. `overrides` replace the container's own CPU and memory, which then
 * serve as defaults.
 */
export function withResources(
  container: Container,
  defaults: ContainerDefaults,
  overrides?: DeclaredResources,
): Container {
  const own = container.resources;
  if (!overrides) return { ...container, resources: { ...own, ...withDefaults(own, defaults) } };
  const cpu =
    overrides.limits?.['cpu'] ??
    (own?.limits?.['cpu'] === undefined ? undefined : larger(own.limits['cpu'], overrides.requests?.['cpu']));
  const declared: DeclaredResources = {
    requests: { ...withoutCpuAndMemory(own?.requests), ...overrides.requests },
    limits: { ...withoutCpuAndMemory(own?.limits), ...overrides.limits, ...(cpu !== undefined && { cpu }) },
  };
  const fallback = {
    requests: { ...defaults.requests, ...own?.requests },
    limits: { ...defaults.limits, ...own?.limits },
  };
  return { ...container, resources: { ...own, ...withDefaults(declared, fallback) } };
}

const withoutCpuAndMemory = (
  amounts: Readonly<Record<string, string | number>> | undefined,
): Record<string, string | number> =>
  Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => name !== 'cpu' && name !== 'memory'));

function normalizeAmounts(amounts: Record<string, string | number>): Record<string, string> {
  const normalized: Record<string, string> = {};
  for (const name of Object.keys(amounts).sort()) {
    const amount = amounts[name] ?? '';
    const parsed = parseQuantity(amount);
    normalized[name] = parsed ? formatQuantity(parsed) : String(amount);
  }
  return normalized;
}

function larger(amount: string | number, other: string | number | undefined): string | number {
  return other !== undefined && compare(other, amount) > 0 ? other : amount;
}

/** Returns the smaller of two quantities; the first one if the second is undefined. */
export function smaller(amount: string | number, other: string | number | undefined): string | number {
  return other !== undefined && compare(other, amount) < 0 ? other : amount;
}

function compare(a: string | number, b: string | number): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left && right ? compareQuantities(left, right) : 0;
}
