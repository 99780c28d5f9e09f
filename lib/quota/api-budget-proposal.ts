import {
  type ApiBudgetLimits,
  numberOf,
  type PlatformManifest,
  type Quantity,
  parseQuantity,
  type ResourceList,
  roundUpQuantity,
} from '../api';
import { type BudgetUse, type ClientDay, largerBudgetUse, sumOfShares } from '../history';
import { type Proposal } from './propose';
import { type ProposalOptions, type ProposedValue, proposeValue } from './propose-value';
import { type DayUsage } from './usage';

/** Input of a proposal of API budgets. */
export interface ApiBudgetProposalInput {
  readonly projects: readonly PlatformManifest<'Project'>[];
  readonly platform: PlatformManifest<'Platform'>;
  /** History of the clients of each project. */
  readonly clients: ReadonlyMap<string, readonly ClientDay[]>;
}

const limitNames = ['requestsPerSecond', 'concurrentRequests', 'bytesPerSecond'] as const;
const nestedName = (limit: string): string => `serviceAccount.${limit}`;
const one = 1_000_000_000n;

/**
 * Proposes the API budget of every project, with the statistics of quotas: the highest use of a day times the factor, without
 * outliers, and at least the Platform's default with less than four weeks of history.
 *
 * Values are named by their field, such as `serviceAccount.requestsPerSecond`, whose use is that of the account that needs
 * the most. Pure: the newest day of a history counts as today.
 */
export function proposeApiBudgets(
  { projects, platform, clients }: ApiBudgetProposalInput,
  options: ProposalOptions = {},
): readonly Proposal[] {
  return projects.map((project) => {
    const facts = {
      days: apiBudgetUsage(clients.get(project.metadata.name) ?? []),
      own: statedBudget(project.spec.apiBudget),
      defaults: statedBudget(defaultBudget(platform)),
      present: { used: {}, promised: {} },
      options,
    };
    const resources = [...limitNames, ...limitNames.map(nestedName)];
    const values = resources.flatMap((resource) => proposeValue(resource, facts)).map(asFieldValue);
    return { project: project.metadata.name, values };
  });
}

/** Rates and counts are whole numbers without a suffix. */
const asFieldValue = (proposed: ProposedValue): ProposedValue => {
  const quantity = parseQuantity(proposed.value);
  return quantity && quantity.format !== 'BinarySI' ? { ...proposed, value: String(numberOf(quantity)) } : proposed;
};

/** Returns the budget in force for a project, by field. */
export const apiBudgetOf = (
  project: PlatformManifest<'Project'>,
  platform: PlatformManifest<'Platform'>,
): ResourceList => ({ ...statedBudget(defaultBudget(platform)), ...statedBudget(project.spec.apiBudget) });

/** Returns the daily peaks of what an API budget limits, by its fields. */
export function apiBudgetUsage(days: readonly ClientDay[]): readonly DayUsage[] {
  return days.flatMap(({ day, shares }) => {
    const { '': project, ...accounts } = sumOfShares(shares).budgets;
    const highest = Object.values(accounts).reduce<BudgetUse | undefined>(
      (most, use) => (most ? largerBudgetUse(most, use) : use),
      undefined,
    );
    if (!project && !highest) return [];
    return {
      day,
      peaks: { ...amountsOfUse(project, (name) => name), ...amountsOfUse(highest, nestedName) },
      consumed: {},
    };
  });
}

type StatedLimits = { readonly [Name in keyof ApiBudgetLimits]?: ApiBudgetLimits[Name] | undefined };
type StatedBudget = StatedLimits & { readonly serviceAccount?: StatedLimits | undefined };

const defaultBudget = ({ spec: { defaultApiBudget } }: PlatformManifest<'Platform'>): StatedBudget => ({
  ...defaultApiBudget.project,
  serviceAccount: defaultApiBudget.serviceAccount,
});

function statedBudget(stated: StatedBudget | undefined): ResourceList {
  const entries = limitNames.flatMap((name) => [
    [name, stated?.[name]] as const,
    [nestedName(name), stated?.serviceAccount?.[name]] as const,
  ]);
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, Quantity][] => {
      const quantity = value === undefined ? undefined : parseQuantity(value);
      return quantity ? [[name, quantity]] : [];
    }),
  );
}

/** Amounts are rounded up as budgets state them: to whole numbers, and bytes to a KiB. */
function amountsOfUse(use: BudgetUse | undefined, nameOf: (limit: string) => string): ResourceList {
  if (!use) return {};
  const amounts: Record<string, Quantity> = {};
  for (const name of limitNames) {
    const isBytes = name === 'bytesPerSecond';
    const nanos = BigInt(Math.ceil(use[name] * 1000)) * (one / 1000n);
    const format = isBytes ? 'BinarySI' : 'DecimalSI';
    // Bytes are unknown without a gateway.
    if (!isBytes || nanos > 0n) amounts[nameOf(name)] = roundUpQuantity({ nanos, format }, isBytes ? 1024n * one : one);
  }
  return amounts;
}
