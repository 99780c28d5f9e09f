import { type ApiCaller } from '../identity/api-caller';
import { accountOf } from '../identity/client-account';
import { type ApiBudget, type ApiBudgets, type DefaultApiBudgets, defaultApiBudgets } from './api-budget';

/**
 * Level of a client. Levels have seats of their own, so that none starves another: Kubernetes and the platform's programs,
 * the platform team, other users, and workloads.
 */
export type FlowLevel = 'platform' | 'on-call' | 'users' | 'workloads';

/** Facts of the cluster that decide about levels and budgets. */
export interface FlowPolicyFacts {
  /** Namespaces of Kubernetes and the platform's programs. */
  readonly platformNamespaces: ReadonlySet<string>;
  /** Groups of the platform team. */
  readonly onCallGroups: ReadonlySet<string>;
  /** Budgets of projects that differ from the default, by project. */
  readonly projects: ReadonlyMap<string, ApiBudgets>;
  readonly default: DefaultApiBudgets;
}

/** Facts of a cluster without a Platform. */
export const defaultFlowPolicyFacts: FlowPolicyFacts = {
  platformNamespaces: new Set(['kube-system']),
  onCallGroups: new Set(['system:masters']),
  projects: new Map(),
  default: defaultApiBudgets,
};

/** Group of the kubelets. */
const nodes = 'system:nodes';

/** Returns the level of a caller. */
export function flowLevelOf(caller: ApiCaller, { platformNamespaces, onCallGroups }: FlowPolicyFacts): FlowLevel {
  const { kind, project } = accountOf(caller);
  if (kind === 'serviceAccount') return platformNamespaces.has(project) ? 'platform' : 'workloads';
  if (caller.groups.includes(nodes)) return 'platform';
  return caller.groups.some((group) => onCallGroups.has(group)) ? 'on-call' : 'users';
}

/** Subject of a budget. */
export type BudgetScope = 'project' | 'serviceAccount' | 'user';

/** Budget of a subject that a request counts against. */
export interface ScopedBudget {
  readonly scope: BudgetScope;
  /** Unique among the subjects of all scopes. */
  readonly key: string;
  readonly budget: ApiBudget;
}

/** Returns the budgets that a caller's reads count against: none for the platform and its team, which levels bound. */
export function apiBudgetsOf(caller: ApiCaller, level: FlowLevel, facts: FlowPolicyFacts): readonly ScopedBudget[] {
  const { project, name } = accountOf(caller);
  if (level === 'users') return [{ scope: 'user', key: `user/${name}`, budget: facts.default.user }];
  if (level !== 'workloads') return [];
  const budgets = facts.projects.get(project) ?? facts.default;
  return [
    { scope: 'project', key: `project/${project}`, budget: budgets.project },
    { scope: 'serviceAccount', key: `serviceAccount/${project}/${name}`, budget: budgets.serviceAccount },
  ];
}
