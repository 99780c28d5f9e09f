import { compareQuantities, formatQuantity, parseQuantity, type Container, type Spec } from '../../api';

/** Requests and limits by resource. */
export interface ContainerDefaults {
  readonly requests: Readonly<Record<string, string | number>>;
  readonly limits: Readonly<Record<string, string | number>>;
}

type Stated = {
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
  readonly limits?: Readonly<Record<string, string | number>> | undefined;
};

const byTier = new WeakMap<Spec<'Platform'>, Map<string, ContainerDefaults>>();

/** Returns the default resources of a tier, merged over the Platform's; the same object for the same tier. */
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
 * Returns the requests and limits of a container: stated ones are kept; a missing CPU request, memory request or memory
 * limit is derived from its counterpart, or otherwise from the defaults, so that a request never exceeds its limit.
 */
export function withDefaults(stated: Stated | undefined, defaults: ContainerDefaults): ContainerDefaults {
  const requests: Record<string, string | number> = { ...stated?.requests };
  const limits: Record<string, string | number> = { ...stated?.limits };
  limits['memory'] ??= larger(defaults.limits['memory'] ?? '256Mi', requests['memory']);
  requests['memory'] ??= smaller(defaults.requests['memory'] ?? '128Mi', limits['memory']);
  requests['cpu'] ??= smaller(defaults.requests['cpu'] ?? '100m', limits['cpu']);
  for (const [name, amount] of Object.entries(limits)) {
    if (name !== 'cpu' && name !== 'memory') requests[name] ??= amount;
  }
  return { requests: inOneForm(requests), limits: inOneForm(limits) };
}

/**
 * Returns the container with its requests and limits; those stated `instead` replace its own, which then serve as
 * defaults.
 */
export function withResources(container: Container, defaults: ContainerDefaults, instead?: Stated): Container {
  const own = container.resources;
  if (!instead) return { ...container, resources: { ...own, ...withDefaults(own, defaults) } };
  const cpu =
    instead.limits?.['cpu'] ??
    (own?.limits?.['cpu'] === undefined ? undefined : larger(own.limits['cpu'], instead.requests?.['cpu']));
  const stated: Stated = {
    requests: { ...withoutCpuAndMemory(own?.requests), ...instead.requests },
    limits: { ...withoutCpuAndMemory(own?.limits), ...instead.limits, ...(cpu !== undefined && { cpu }) },
  };
  const fallback = {
    requests: { ...defaults.requests, ...own?.requests },
    limits: { ...defaults.limits, ...own?.limits },
  };
  return { ...container, resources: { ...own, ...withDefaults(stated, fallback) } };
}

const withoutCpuAndMemory = (
  amounts: Readonly<Record<string, string | number>> | undefined,
): Record<string, string | number> =>
  Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => name !== 'cpu' && name !== 'memory'));

function inOneForm(amounts: Record<string, string | number>): Record<string, string> {
  const formed: Record<string, string> = {};
  for (const name of Object.keys(amounts).sort()) {
    const amount = amounts[name] ?? '';
    const parsed = parseQuantity(amount);
    formed[name] = parsed ? formatQuantity(parsed) : String(amount);
  }
  return formed;
}

function larger(amount: string | number, other: string | number | undefined): string | number {
  return other !== undefined && compare(other, amount) > 0 ? other : amount;
}

/** Returns the smaller of two quantities; the first if there is no other. */
export function smaller(amount: string | number, other: string | number | undefined): string | number {
  return other !== undefined && compare(other, amount) < 0 ? other : amount;
}

function compare(a: string | number, b: string | number): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left && right ? compareQuantities(left, right) : 0;
}
