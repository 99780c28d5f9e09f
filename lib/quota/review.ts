import {
  addAmounts,
  type ResourceList,
  amountsOf,
  compareQuantities,
  formatQuantity,
  largerQuantity,
  numberOf,
  type PlatformManifest,
  type Problem,
  type Quantity,
  scaleQuantity,
} from '../api';
import { quotaOf } from '../expand';
import { nodeResourceOf } from './capacity-of-nodes';
import { costOf, type PriceList } from './price-list';
import { type DayUsage, type Usage } from './usage';

type Project = PlatformManifest<'Project'>;

/** Input of a review. */
export interface ReviewInput {
  /** Projects in force. */
  readonly before: readonly Project[];
  /** Projects after the change; those missing here stay as before. */
  readonly after: readonly Project[];
  /** Platforms before and after the change, whose defaults apply to Projects. */
  readonly platform: { readonly before: PlatformManifest<'Platform'>; readonly after: PlatformManifest<'Platform'> };
  /** @default - no peaks are shown */
  readonly usage?: Usage;
  /** Capacity of the cluster's nodes, by the names that nodes use. @default - unknown */
  readonly allocatable?: ResourceList;
  /** @default - no costs */
  readonly prices?: PriceList;
  /** Maximum sum of quotas, as a multiple of the capacity, exact. @default - no limit */
  readonly maxOvercommit?: Quantity;
}

/** A resource of a project whose quota changes. */
export interface ReviewedValue {
  readonly project: string;
  readonly resource: string;
  /** Undefined without a quota. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Highest daily peak of the history. */
  readonly peak: string | undefined;
  /** Share of the new quota that the peak leaves free, from 0 to 1; negative if the peak does not fit. */
  readonly headroom: number | undefined;
}

/** One resource, summed over all projects. */
export interface ReviewedTotal {
  readonly resource: string;
  readonly before: string;
  readonly after: string;
  readonly capacity: string | undefined;
  /** The new sum as a multiple of the capacity. */
  readonly share: number | undefined;
}

/** Effects of a quota change. */
export interface Review {
  readonly values: readonly ReviewedValue[];
  readonly totals: readonly ReviewedTotal[];
  /** Cost of all quotas when fully used; absent without a price list. */
  readonly cost?: {
    readonly currency: string;
    readonly per: string;
    readonly before: number;
    readonly after: number;
    readonly projects: readonly { readonly project: string; readonly before: number; readonly after: number }[];
  };
  readonly problems: readonly Problem[];
}

/** Compares quotas before and after a change: differences, headroom over the peak, sums against the cluster, cost. */
export function review(input: ReviewInput): Review {
  const before = effective(input.before, input.platform.before);
  const replaced = new Set(input.after.map(({ metadata }) => metadata.name));
  const staying = input.before.filter(({ metadata }) => !replaced.has(metadata.name));
  const after = effective([...staying, ...input.after], input.platform.after);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const values = names.flatMap((project) =>
    changes(project, before.get(project), after.get(project), input.usage?.get(project) ?? []),
  );
  const totals = totalsOf(sumOf(before), sumOf(after), input.allocatable);
  return {
    values,
    totals,
    ...(input.prices && { cost: costs(names, before, after, input.prices) }),
    problems: [...values.flatMap(belowPeakProblems), ...totals.flatMap((total) => overcommitProblems(total, input))],
  };
}

function effective(
  projects: readonly Project[],
  platform: PlatformManifest<'Platform'>,
): ReadonlyMap<string, ResourceList> {
  return new Map(projects.map((project) => [project.metadata.name, amountsOf(quotaOf(project, platform))]));
}

function changes(
  project: string,
  before: ResourceList | undefined,
  after: ResourceList | undefined,
  days: readonly DayUsage[],
): ReviewedValue[] {
  const resources = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return resources.flatMap((resource): ReviewedValue[] => {
    const [previous, next] = [before?.[resource], after?.[resource]];
    if (previous && next && compareQuantities(previous, next) === 0) return [];
    const peak = days.map(({ peaks }) => peaks[resource]).reduce(largerQuantity, undefined);
    const headroom = peak && next && next.nanos > 0n ? 1 - numberOf(peak) / numberOf(next) : undefined;
    return [{ project, resource, before: text(previous), after: text(next), peak: text(peak), headroom }];
  });
}

const sumOf = (quotas: ReadonlyMap<string, ResourceList>): ResourceList => [...quotas.values()].reduce(addAmounts, {});

function totalsOf(before: ResourceList, after: ResourceList, allocatable: ResourceList | undefined): ReviewedTotal[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().map((resource) => {
    const [previous, next] = [before[resource], after[resource]];
    const capacity = allocatable?.[nodeResourceOf(resource) ?? ''];
    const share = capacity && capacity.nanos > 0n && next ? numberOf(next) / numberOf(capacity) : undefined;
    return { resource, before: text(previous) ?? '0', after: text(next) ?? '0', capacity: text(capacity), share };
  });
}

function costs(
  names: readonly string[],
  before: ReadonlyMap<string, ResourceList>,
  after: ReadonlyMap<string, ResourceList>,
  prices: PriceList,
): NonNullable<Review['cost']> {
  const projects = names.map((project) => ({
    project,
    before: costOf(before.get(project) ?? {}, prices),
    after: costOf(after.get(project) ?? {}, prices),
  }));
  return {
    currency: prices.currency,
    per: prices.per,
    before: projects.reduce((sum, one) => sum + one.before, 0),
    after: projects.reduce((sum, one) => sum + one.after, 0),
    projects: projects.filter((one) => one.before !== one.after),
  };
}

function belowPeakProblems({ project, resource, after, peak, headroom }: ReviewedValue): Problem[] {
  if (headroom === undefined || headroom >= 0) return [];
  return [
    {
      code: 'out-of-range',
      severity: 'warning',
      object: `Project ${project}`,
      path: ['spec', 'quota', resource],
      value: after,
      reason: `is less than the peak of its history, ${peak ?? ''}`,
      remedy: 'raise it, or make sure that the peak was exceptional',
    },
  ];
}

function overcommitProblems({ resource, after, capacity }: ReviewedTotal, input: ReviewInput): Problem[] {
  const { maxOvercommit: maxRatio, allocatable } = input;
  const limit = allocatable?.[nodeResourceOf(resource) ?? ''];
  const sum = amountsOf({ [resource]: after })[resource];
  if (!maxRatio || !limit || !sum) return [];
  if (compareQuantities(sum, scaleQuantity(limit, maxRatio.nanos, 1_000_000_000n)) <= 0) return [];
  return [
    {
      code: 'out-of-range',
      object: 'Quotas of all Projects',
      path: [resource],
      value: after,
      reason: `is more than ${numberOf(maxRatio)} times the node capacity of ${capacity ?? ''}`,
      remedy: 'lower quotas, add nodes, or raise --overcommit',
    },
  ];
}

const text = (quantity: Quantity | undefined): string | undefined => quantity && formatQuantity(quantity);
