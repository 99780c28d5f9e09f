import { type PodFailurePolicyRule } from '../native';
import { entryListAt } from './own-volumes';
import { podsOfSpec } from './templates-of-spec';
import { type ValidationRule, type RuleViolation } from './validation-rule';

type Self = Readonly<Record<string, unknown>>;
type ExitCodes = NonNullable<PodFailurePolicyRule['onExitCodes']>;

const rulesOf = (self: Self) =>
  ((self['podFailurePolicy'] as Self | undefined)?.['rules'] ?? []) as readonly PodFailurePolicyRule[];
const indexesWhere = (self: Self, broken: (rule: PodFailurePolicyRule) => boolean): number[] =>
  rulesOf(self).flatMap((rule, index) => (broken(rule) ? [index] : []));

/** Rules of `podFailurePolicy`, like those of the API server for Jobs. */
export const failurePolicyRules: readonly ValidationRule[] = [
  {
    name: 'failure-rule-form',
    cel: '!has(self.podFailurePolicy) || self.podFailurePolicy.rules.all(r, has(r.onExitCodes) != (has(r.onPodConditions) && size(r.onPodConditions) > 0))',
    fieldPath: ['podFailurePolicy', 'rules'],
    find: (self) =>
      indexesWhere(self, (rule) => (rule.onExitCodes !== undefined) === (rule.onPodConditions ?? []).length > 0).map(
        (index) => ['podFailurePolicy', 'rules', index],
      ),
    reason: 'must set exactly one of onExitCodes and onPodConditions',
    remedy: 'set one of them, with at least one entry',
    code: 'invalid-combination',
  },
  {
    name: 'failure-rule-exit-codes',
    cel: '!has(self.podFailurePolicy) || self.podFailurePolicy.rules.all(r, !has(r.onExitCodes) || (size(r.onExitCodes.values) > 0 && r.onExitCodes.values.isSorted() && r.onExitCodes.values.all(v, v <= 255 && (v != 0 || r.onExitCodes.operator != "In") && r.onExitCodes.values.exists_one(w, w == v))))',
    where: 'client',
    find: wrongExitCodes,
    reason: 'must list unique exit codes from 1 to 255 in ascending order',
    remedy: 'sort the codes, such as [2, 42], and remove 0',
    code: 'out-of-range',
  },
  {
    name: 'failure-rule-container',
    cel: '!has(self.podFailurePolicy) || !has(self.template) || has(self.roles) || self.podFailurePolicy.rules.all(r, !has(r.onExitCodes) || !has(r.onExitCodes.containerName) || self.template.spec.containers.exists(c, c.name == r.onExitCodes.containerName) || (has(self.template.spec.initContainers) && self.template.spec.initContainers.exists(c, c.name == r.onExitCodes.containerName)))',
    where: 'client',
    find: unknownContainers,
    reads: ['podFailurePolicy', 'template', 'roles', 'replicatedJobs'],
    reason: 'must be the name of a container of the template',
    remedy: 'use the name of a container, or omit it for all',
    code: 'unknown-reference',
  },
];

/** Rules across the fields of kinds that run to completion, like those of the API server for Jobs. */
export const completionRules: readonly ValidationRule[] = [
  {
    name: 'replacement-with-failure-rules',
    cel: '!has(self.podFailurePolicy) || size(self.podFailurePolicy.rules) == 0 || !has(self.podReplacementPolicy) || self.podReplacementPolicy == "Failed"',
    fieldPath: ['podReplacementPolicy'],
    reason: 'must be Failed with podFailurePolicy, which evaluates pods only after they failed',
    remedy: 'omit it, or use Failed',
    code: 'invalid-combination',
  },
  ...failurePolicyRules,
];

const ascending = ({ operator, values }: ExitCodes): boolean =>
  values.length > 0 &&
  values.every(
    (value, index) =>
      value <= 255 && (value !== 0 || operator !== 'In') && (index === 0 || value > (values[index - 1] as number)),
  );

function wrongExitCodes(self: Self): RuleViolation[] {
  return rulesOf(self).flatMap(({ onExitCodes }, index) => {
    if (onExitCodes === undefined || ascending(onExitCodes)) return [];
    const path = ['podFailurePolicy', 'rules', index, 'onExitCodes', 'values'];
    const isEmpty = onExitCodes.values.length === 0;
    return [{ path, ...(isEmpty && { reason: 'must list at least one exit code', remedy: 'list the exit codes' }) }];
  });
}

/** Returns the container names that a pod lacks; the API server rejects the Job of this pod. */
function unknownContainers(self: Self): RuleViolation[] {
  if (rulesOf(self).length === 0) return [];
  const pods = podsOfSpec(self).map(({ pod }) =>
    ['containers', 'initContainers'].flatMap((list) => namesIn(pod, list)),
  );
  const known = (pods[0] ?? []).filter((name) => pods.every((names) => names.includes(name)));
  return rulesOf(self).flatMap(({ onExitCodes }, index) => {
    const value = onExitCodes?.containerName;
    if (value === undefined || pods.length === 0 || known.includes(value)) return [];
    return [
      {
        path: ['podFailurePolicy', 'rules', index, 'onExitCodes', 'containerName'],
        value,
        ...(pods.length > 1 && { reason: 'must be the name of a container of every template' }),
        ...(known.length > 0 && { remedy: `use ${known.join(', ')}, or omit it for all containers` }),
      },
    ];
  });
}

const namesIn = (pod: Self, list: string): string[] =>
  entryListAt(pod, [list]).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
