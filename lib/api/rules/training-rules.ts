import { isPositiveSize } from './positive-size';
import { type ValidationRule } from './validation-rule';

const count = (role: string) => `("${role}" in self.roles ? self.roles["${role}"].replicas : 0)`;
const sum = (...roles: readonly string[]) => roles.map(count).join(' + ');
/**
 * Returns a CEL expression that a condition holds for each role, using lists of one: has() of the interpreter does not
 * support an index.
 */
const eachRole = (role: string, holds: string) => `self.roles.all(r, [self.roles[r]].all(${role}, ${holds}))`;
const hasMemoryBeyond = (template: string) =>
  `!has(${template}) || ${template}.spec.containers.size() == 0 || [${template}.spec.containers[0]].all(c, !has(c.resources) || !has(c.resources.limits) || !("memory" in c.resources.limits) || quantity(string(c.resources.limits["memory"])).isGreaterThan(quantity(string(self.sharedMemory))))`;

/** Rules across the fields of a training job. */
export const trainingRules: readonly ValidationRule[] = [
  {
    name: 'training-roles',
    cel: 'self.roles.all(r, r == "worker" || (self.framework == "pytorch" && r == "master") || (self.framework == "tensorflow" && r in ["chief", "ps", "evaluator"]))',
    fieldPath: ['roles'],
    reason: 'must be a role of the framework',
    remedy: 'use chief, worker, ps and evaluator for tensorflow; worker and "master" for pytorch; worker for jax',
    code: 'unsupported-value',
  },
  {
    name: 'training-leader',
    cel: '"chief" in self.roles || "master" in self.roles || "worker" in self.roles',
    fieldPath: ['roles'],
    reason: 'must have a role that trains',
    remedy: 'add a worker, chief or "master"',
    code: 'required',
  },
  {
    name: 'training-one-leader',
    cel: '(!("chief" in self.roles) || self.roles["chief"].replicas == 1) && (!("master" in self.roles) || self.roles["master"].replicas == 1) && (!("evaluator" in self.roles) || self.roles["evaluator"].replicas == 1)',
    fieldPath: ['roles'],
    reason: 'must have at most one chief, evaluator and "master"',
    remedy: 'set its replicas to 1',
    code: 'out-of-range',
  },
  {
    name: 'training-template',
    cel: `has(self.template) || ${eachRole('role', 'has(role.template)')}`,
    fieldPath: ['template'],
    reason: 'must be set unless every role has its own template',
    remedy: 'set template',
    code: 'required',
  },
  {
    name: 'tensorflow-members',
    cel: `self.framework != "tensorflow" || ${sum('chief', 'worker', 'ps')} <= 600`,
    fieldPath: ['roles'],
    reason:
      'must have at most 600 members, whose names fit into TF_CONFIG; Linux limits environment variables to 128 KiB',
    remedy: 'use at most 600 members',
    code: 'out-of-range',
  },
  {
    name: 'elastic-pytorch',
    cel: '!has(self.elastic) || self.framework == "pytorch"',
    fieldPath: ['elastic'],
    reason: 'is only supported for pytorch',
    remedy: 'omit elastic',
    code: 'invalid-combination',
  },
  {
    name: 'elastic-members',
    cel: `!has(self.elastic) || (self.elastic.minReplicas <= ${sum('master', 'worker')} && ${sum('master', 'worker')} <= self.elastic.maxReplicas)`,
    fieldPath: ['elastic'],
    reason: 'must include the number of members of the roles',
    remedy: 'set the replicas of worker so that all members are within the range',
    code: 'invalid-combination',
  },
  {
    name: 'processes-pytorch',
    cel: '!has(self.processesPerNode) || self.processesPerNode == 1 || self.framework == "pytorch"',
    fieldPath: ['processesPerNode'],
    reason: 'is only supported for pytorch',
    remedy: 'set it to 1',
    code: 'invalid-combination',
  },
  {
    name: 'gang-members',
    cel: `!has(self.gang) || !has(self.gang.minAvailable) || self.gang.minAvailable <= ${sum('chief', 'master', 'worker', 'ps', 'evaluator')}`,
    fieldPath: ['gang', 'minAvailable'],
    reason: 'must not exceed the number of members',
    remedy: 'lower it, or omit it for all members',
    code: 'out-of-range',
  },
  {
    name: 'accelerator-roles',
    cel: '!has(self.accelerators) || !has(self.accelerators.roles) || self.accelerators.roles.all(r, r in self.roles)',
    fieldPath: ['accelerators', 'roles'],
    reason: 'must be a role of spec.roles',
    remedy: 'use names of roles in spec.roles',
    code: 'unknown-reference',
  },
  {
    name: 'checkpoint-members',
    cel: `!has(self.checkpoint) || !has(self.checkpoint.claim) || !has(self.checkpoint.claim.accessModes) || !("ReadWriteOncePod" in self.checkpoint.claim.accessModes) || ${sum('chief', 'master', 'worker', 'ps', 'evaluator')} == 1`,
    fieldPath: ['checkpoint', 'claim', 'accessModes'],
    reason: 'allows only one pod, but there are several members',
    remedy: 'use ReadWriteMany',
    code: 'invalid-combination',
  },
  {
    name: 'training-failure-rules',
    cel: '!has(self.podFailurePolicy) || size(self.podFailurePolicy.rules) <= 18',
    fieldPath: ['podFailurePolicy', 'rules'],
    reason: 'must have at most 18 rules; Kubernetes allows 20, and pinion adds two for evictions and exit codes',
    remedy: 'use at most 18 rules',
    code: 'out-of-range',
  },
  {
    name: 'shared-memory-size',
    cel: '!has(self.sharedMemory) || quantity(string(self.sharedMemory)).isGreaterThan(quantity("0"))',
    where: 'client',
    find: ({ sharedMemory }) =>
      isPositiveSize(sharedMemory) ? [] : [{ path: ['sharedMemory'], value: String(sharedMemory) }],
    reason: 'must be a positive size',
    remedy: 'write a size such as "2Gi"',
    code: 'out-of-range',
  },
  // The API server's cost estimate exceeds its limit: containers and limits have no maximum sizes that it could use.
  {
    name: 'shared-memory-limit',
    cel: `!has(self.sharedMemory) || ((${hasMemoryBeyond('self.template')}) && ${eachRole('role', hasMemoryBeyond('role.template'))})`,
    fieldPath: ['sharedMemory'],
    reason: 'must be less than the memory limit of the first container, to which it counts',
    remedy: 'raise the limit or lower sharedMemory',
    code: 'invalid-combination',
    where: 'client',
  },
];
