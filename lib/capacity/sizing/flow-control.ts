/** A priority level of API Priority and Fairness. */
export interface PriorityLevel {
  readonly name: string;
  readonly shares: number;
  /** Percentage of its unused seats that other levels may borrow. */
  readonly lendablePercent: number;
  readonly overLimit: 'queue' | 'reject';
}

/** Priority level for expensive lists; it cannot borrow seats. */
export const heavyLists = 'heavy-lists';

/** Default levels of every API server (pkg/apis/flowcontrol/bootstrap/default.go); `exempt` has no limit. */
export const builtInLevels: readonly PriorityLevel[] = [
  { name: 'system', shares: 30, lendablePercent: 33, overLimit: 'queue' },
  { name: 'node-high', shares: 40, lendablePercent: 25, overLimit: 'queue' },
  { name: 'leader-election', shares: 10, lendablePercent: 0, overLimit: 'queue' },
  { name: 'workload-high', shares: 40, lendablePercent: 50, overLimit: 'queue' },
  { name: 'workload-low', shares: 100, lendablePercent: 90, overLimit: 'queue' },
  { name: 'global-default', shares: 20, lendablePercent: 50, overLimit: 'queue' },
  { name: 'catch-all', shares: 5, lendablePercent: 0, overLimit: 'reject' },
];

/** Returns the seats of each level in one server: all seats, divided in proportion to the shares and rounded up. */
export function seatsOf(levels: readonly PriorityLevel[], totalSeats: number): Readonly<Record<string, number>> {
  const shares = levels.reduce((sum, level) => sum + level.shares, 0);
  return Object.fromEntries(levels.map((level) => [level.name, Math.ceil((totalSeats * level.shares) / shares)]));
}

/** Returns the levels of a plan: the built-in ones and the one for expensive lists. */
export const planLevels = (heavyListShares: number): readonly PriorityLevel[] => [
  ...builtInLevels,
  { name: heavyLists, shares: heavyListShares, lendablePercent: 0, overLimit: 'queue' },
];

/** An object of `flowcontrol.apiserver.k8s.io/v1`, ready to be applied. */
export interface FlowControlObject {
  readonly apiVersion: 'flowcontrol.apiserver.k8s.io/v1';
  readonly kind: 'PriorityLevelConfiguration' | 'FlowSchema';
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A service account whose lists are exempt, such as that of the controller. */
export interface ExemptAccount {
  readonly namespace: string;
  readonly name: string;
}

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

/**
 * Returns the objects that limit lists and watches of all pods or nodes by service accounts.
 *
 * A watch-list counts as a list, so both verbs are covered. Exempt accounts match a separate flow schema with
 * higher precedence.
 */
export function heavyListObjects(shares: number, exempt: readonly ExemptAccount[]): readonly FlowControlObject[] {
  const queuing = { queues: 16, handSize: 4, queueLengthLimit: 20 };
  const level: FlowControlObject = {
    apiVersion,
    kind: 'PriorityLevelConfiguration',
    metadata: { name: heavyLists },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: shares,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: { type: 'Queue', queuing },
      },
    },
  };
  const allServiceAccounts = [{ kind: 'Group', group: { name: 'system:serviceaccounts' } }];
  const exemptSubjects = exempt.map(({ namespace, name }) => ({
    kind: 'ServiceAccount',
    serviceAccount: { namespace, name },
  }));
  const limiting = flowSchema(heavyLists, 8500, heavyLists, allServiceAccounts);
  return exemptSubjects.length === 0
    ? [level, limiting]
    : [level, flowSchema(`${heavyLists}-let-through`, 8400, 'workload-high', exemptSubjects), limiting];
}

function flowSchema(
  name: string,
  matchingPrecedence: number,
  level: string,
  subjects: readonly Readonly<Record<string, unknown>>[],
): FlowControlObject {
  return {
    apiVersion,
    kind: 'FlowSchema',
    metadata: { name },
    spec: {
      matchingPrecedence,
      distinguisherMethod: { type: 'ByUser' },
      priorityLevelConfiguration: { name: level },
      rules: [
        {
          subjects,
          resourceRules: [
            {
              verbs: ['list', 'watch'],
              apiGroups: [''],
              resources: ['pods', 'nodes'],
              namespaces: ['*'],
              clusterScope: true,
            },
          ],
        },
      ],
    },
  };
}
