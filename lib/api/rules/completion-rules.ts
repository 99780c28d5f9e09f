import { type PodFailurePolicyRule } from '../native';
import { type FieldPath } from '../problem';
import { type ValidationRule } from './validation-rule';

type Self = Readonly<Record<string, unknown>>;
type ExitCodes = NonNullable<PodFailurePolicyRule['onExitCodes']>;

const rulesOf = (self: Self) =>
  ((self['podFailurePolicy'] as Self | undefined)?.['rules'] ?? []) as readonly PodFailurePolicyRule[];
const indexesWhere = (self: Self, broken: (rule: PodFailurePolicyRule) => boolean): number[] =>
  rulesOf(self).flatMap((rule, index) => (broken(rule) ? [index] : []));

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
  {
    name: 'failure-rule-form',
    cel: '!has(self.podFailurePolicy) || self.podFailurePolicy.rules.all(r, has(r.onExitCodes) != (has(r.onPodConditions) && size(r.onPodConditions) > 0))',
    fieldPath: ['podFailurePolicy', 'rules'],
    find: (self) =>
      indexesWhere(self, (rule) => (rule.onExitCodes !== undefined) === (rule.onPodConditions ?? []).length > 0).map(
        (index) => ['podFailurePolicy', 'rules', index],
      ),
    reason: 'must set exactly one of onExitCodes and onPodConditions',
    remedy: 'set only one of them',
    code: 'invalid-combination',
  },
  {
    name: 'failure-rule-exit-codes',
    cel: '!has(self.podFailurePolicy) || self.podFailurePolicy.rules.all(r, !has(r.onExitCodes) || (size(r.onExitCodes.values) > 0 && r.onExitCodes.values.isSorted() && r.onExitCodes.values.all(v, v <= 255 && (v != 0 || r.onExitCodes.operator != "In") && r.onExitCodes.values.exists_one(w, w == v))))',
    where: 'client',
    find: (self) =>
      indexesWhere(self, ({ onExitCodes }) => onExitCodes !== undefined && !ascending(onExitCodes)).map((index) => [
        'podFailurePolicy',
        'rules',
        index,
        'onExitCodes',
        'values',
      ]),
    reason: 'must list unique exit codes from 1 to 255 in ascending order',
    remedy: 'sort the codes, such as [2, 42], and remove 0',
    code: 'out-of-range',
  },
  {
    name: 'failure-rule-container',
    cel: '!has(self.podFailurePolicy) || !has(self.template) || self.podFailurePolicy.rules.all(r, !has(r.onExitCodes) || !has(r.onExitCodes.containerName) || self.template.spec.containers.exists(c, c.name == r.onExitCodes.containerName) || (has(self.template.spec.initContainers) && self.template.spec.initContainers.exists(c, c.name == r.onExitCodes.containerName)))',
    where: 'client',
    find: unknownContainers,
    reason: 'must be the name of a container of the template',
    remedy: 'use the name of a container, or omit it for all',
    code: 'unknown-reference',
  },
];

const ascending = ({ operator, values }: ExitCodes): boolean =>
  values.length > 0 &&
  values.every(
    (value, index) =>
      value <= 255 && (value !== 0 || operator !== 'In') && (index === 0 || value > (values[index - 1] as number)),
  );

function unknownContainers(self: Self): FieldPath[] {
  const pod = (self['template'] as { spec?: Record<'containers' | 'initContainers', unknown> } | undefined)?.spec;
  if (!pod) return [];
  const names = [pod.containers, pod.initContainers].flatMap((list) =>
    Array.isArray(list) ? list.map((container: { name?: unknown }) => container.name) : [],
  );
  return indexesWhere(self, ({ onExitCodes }) => {
    const name = onExitCodes?.containerName;
    return name !== undefined && !names.includes(name);
  }).map((index) => ['podFailurePolicy', 'rules', index, 'onExitCodes', 'containerName']);
}
