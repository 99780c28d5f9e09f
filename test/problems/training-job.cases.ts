import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const template = (fields: Fields = {}) => ({
  spec: { containers: [{ name: 'train', image: 'registry.example.com/ads/ranker:1.0.0', ...fields }] },
});

const job = (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestTrainingJob',
  metadata: { name: 'ranker', namespace: 'ads' },
  spec: { framework: 'pytorch', roles: { worker: { replicas: 4 } }, template: template(), ...spec },
});

const tensorflow = (spec: Fields) => job({ framework: 'tensorflow', ...spec });
const jax = (spec: Fields) => job({ framework: 'jax', ...spec });

const { crdCase, pinionCase } = caseBuilders((input: unknown) => input);

const controllerCase = (title: string, input: unknown, path: string): ProblemCase =>
  pinionCase(title, input, 'needs-controller', path);

const failureRule = (rule: Fields, spec: Fields = {}) => job({ podFailurePolicy: { rules: [rule] }, ...spec });
const exitCodes = (fields: Fields) => ({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1], ...fields } });
const claim = (fields: Fields) => job({ checkpoint: { claim: { size: '1Gi', ...fields } } });

const failureCases: readonly ProblemCase[] = [
  crdCase(
    'a failure rule without exit codes and conditions',
    failureRule({ action: 'FailJob' }),
    'invalid-combination',
    'spec.podFailurePolicy.rules[0]',
    'failure-rule-form',
  ),
  crdCase(
    'a failure rule with an empty list of conditions',
    failureRule({ action: 'FailJob', onPodConditions: [] }),
    'invalid-combination',
    'spec.podFailurePolicy.rules[0]',
    'failure-rule-form',
  ),
  pinionCase(
    'an empty list of exit codes',
    failureRule(exitCodes({ values: [] })),
    'out-of-range',
    'spec.podFailurePolicy.rules[0].onExitCodes.values',
    'failure-rule-exit-codes',
  ),
  pinionCase(
    'exit codes of a container that the pod does not have',
    failureRule(exitCodes({ containerName: 'trainer' })),
    'unknown-reference',
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName',
    'failure-rule-container',
  ),
  pinionCase(
    'exit codes of a container that one role does not have',
    failureRule(exitCodes({ containerName: 'train' }), {
      roles: { worker: { template: template({ name: 'work' }) }, master: {} },
    }),
    'unknown-reference',
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName',
    'failure-rule-container',
  ),
];

const sizeCases: readonly ProblemCase[] = [
  pinionCase(
    'a negative claim size',
    claim({ size: '-1Gi' }),
    'out-of-range',
    'spec.checkpoint.claim.size',
    'claim-size',
  ),
  pinionCase('a claim of no size', claim({ size: '0' }), 'out-of-range', 'spec.checkpoint.claim.size', 'claim-size'),
  crdCase(
    'a path that leaves the checkpoint volume',
    claim({ subPath: '../..' }),
    'bad-format',
    'spec.checkpoint.claim.subPath',
    'claim-sub-path',
  ),
  crdCase(
    'a checkpoint claim for one pod and for several',
    claim({ accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] }),
    'invalid-combination',
    'spec.checkpoint.claim.accessModes',
    'claim-access-alone',
  ),
  pinionCase(
    'a negative shared memory',
    job({ sharedMemory: '-1Gi' }),
    'out-of-range',
    'spec.sharedMemory',
    'shared-memory-size',
  ),
];

export const cases: ProblemCase[] = [
  ...failureCases,
  ...sizeCases,
  crdCase('an unknown framework', job({ framework: 'mpi' }), 'unsupported-value', 'spec.framework'),
  crdCase('an unknown role', job({ roles: { launcher: {} } }), 'bad-format', 'spec.roles.launcher'),
  crdCase(
    'a role of another framework',
    job({ roles: { ps: {}, worker: {} } }),
    'unsupported-value',
    'spec.roles',
    'training-roles',
  ),
  crdCase(
    'a role that JAX does not have',
    jax({ roles: { master: {}, worker: {} } }),
    'unsupported-value',
    'spec.roles',
    'training-roles',
  ),
  crdCase('no JAX members', jax({ roles: {} }), 'required', 'spec.roles', 'training-leader'),
  crdCase(
    'an elastic JAX job',
    jax({ elastic: { minReplicas: 1, maxReplicas: 8 } }),
    'invalid-combination',
    'spec.elastic',
    'elastic-pytorch',
  ),
  crdCase(
    'several JAX processes per member',
    jax({ processesPerNode: 2 }),
    'invalid-combination',
    'spec.processesPerNode',
    'processes-pytorch',
  ),
  crdCase('a JAX coordinator without a port', jax({ port: 0 }), 'out-of-range', 'spec.port'),
  crdCase('no training members', tensorflow({ roles: { ps: {} } }), 'required', 'spec.roles', 'training-leader'),
  crdCase(
    'two chiefs',
    tensorflow({ roles: { chief: { replicas: 2 } } }),
    'out-of-range',
    'spec.roles',
    'training-one-leader',
  ),
  crdCase(
    'two evaluators',
    tensorflow({ roles: { worker: {}, evaluator: { replicas: 2 } } }),
    'out-of-range',
    'spec.roles',
    'training-one-leader',
  ),
  crdCase('a role without replicas', job({ template: undefined }), 'required', 'spec.template', 'training-template'),
  crdCase(
    'an unknown restart policy',
    job({ roles: { worker: { restartPolicy: 'Sometimes' } } }),
    'unsupported-value',
    'spec.roles.worker.restartPolicy',
  ),
  crdCase(
    'a TensorFlow cluster that is too large for one variable',
    tensorflow({ roles: { worker: { replicas: 500 }, ps: { replicas: 101 } } }),
    'out-of-range',
    'spec.roles',
    'tensorflow-members',
  ),
  crdCase(
    'an elastic TensorFlow job',
    tensorflow({ elastic: { minReplicas: 1, maxReplicas: 8 } }),
    'invalid-combination',
    'spec.elastic',
    'elastic-pytorch',
  ),
  crdCase(
    'an elastic minimum above the maximum',
    job({ elastic: { minReplicas: 8, maxReplicas: 4 } }),
    'invalid-combination',
    'spec.elastic.maxReplicas',
    'elastic-range',
  ),
  crdCase(
    'fewer members than the elastic range',
    job({ elastic: { minReplicas: 5, maxReplicas: 8 } }),
    'invalid-combination',
    'spec.elastic',
    'elastic-members',
  ),
  crdCase(
    'several TensorFlow processes per member',
    tensorflow({ processesPerNode: 2 }),
    'invalid-combination',
    'spec.processesPerNode',
    'processes-pytorch',
  ),
  crdCase(
    'a gang larger than all members',
    job({ gang: { minAvailable: 5 } }),
    'out-of-range',
    'spec.gang.minAvailable',
    'gang-members',
  ),
  crdCase(
    'accelerators for a missing role',
    job({ accelerators: { count: 1, roles: ['master'] } }),
    'unknown-reference',
    'spec.accelerators.roles',
    'accelerator-roles',
  ),
  crdCase(
    'a checkpoint volume that is both created and existing',
    job({ checkpoint: { claim: { size: '1Gi' }, claimName: 'models' } }),
    'invalid-combination',
    'spec.checkpoint',
    'checkpoint-volume',
  ),
  crdCase(
    'a ReadWriteOncePod checkpoint volume for four members',
    job({ checkpoint: { claim: { size: '1Gi', accessModes: ['ReadWriteOncePod'] } } }),
    'invalid-combination',
    'spec.checkpoint.claim.accessModes',
    'checkpoint-members',
  ),
  pinionCase(
    'shared memory as large as the memory limit',
    job({ sharedMemory: '4Gi', template: template({ resources: { limits: { memory: '4096Mi' } } }) }),
    'invalid-combination',
    'spec.sharedMemory',
    'shared-memory-limit',
  ),
  pinionCase(
    "shared memory beyond the limit of a role's own template",
    job({
      sharedMemory: '4Gi',
      roles: { worker: { replicas: 4, template: template({ resources: { limits: { memory: '2Gi' } } }) } },
    }),
    'invalid-combination',
    'spec.sharedMemory',
    'shared-memory-limit',
  ),
  crdCase(
    'more failure rules than Kubernetes allows',
    job({
      podFailurePolicy: {
        rules: Array.from({ length: 19 }, (_, index) => ({
          action: 'FailJob',
          onExitCodes: { operator: 'In', values: [index + 1] },
        })),
      },
    }),
    'out-of-range',
    'spec.podFailurePolicy.rules',
    'training-failure-rules',
  ),
  crdCase(
    'a replacement policy, which members with fixed names cannot have',
    job({ podReplacementPolicy: 'TerminatingOrFailed' }),
    'unknown-field',
    'spec.podReplacementPolicy',
  ),
  pinionCase(
    'an accelerator that no pool has',
    job({ accelerators: { count: 1, resource: 'example.com/abacus' } }),
    'not-available',
    'spec.accelerators.resource',
  ),
  controllerCase('a gang', job({ gang: {} }), 'spec.gang'),
  controllerCase('the deletion of finished pods', job({ cleanPodPolicy: 'All' }), 'spec.cleanPodPolicy'),
  controllerCase(
    'members that outlive their successful leader',
    job({ cleanPodPolicy: 'None' }),
    'spec.cleanPodPolicy',
  ),
  controllerCase('parameter servers', tensorflow({ roles: { chief: {}, ps: {} } }), 'spec.roles.ps'),
  controllerCase('a leader with its own Job', tensorflow({ roles: { chief: {}, worker: {} } }), 'spec.successPolicy'),
  controllerCase(
    'Jobs that wait for each other without a deadline',
    tensorflow({ roles: { chief: {}, worker: {} }, successPolicy: 'AllWorkers' }),
    'spec.activeDeadline',
  ),
];
