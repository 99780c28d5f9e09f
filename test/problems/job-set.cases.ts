import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const template = (pod: Fields = {}) => ({
  spec: { containers: [{ name: 'crawl', image: 'registry.example.com/crawl:1.0.0' }], ...pod },
});
const jobSet = (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestJobSet',
  metadata: { name: 'crawl', namespace: 'search' },
  spec: { shards: 4, template: template(), ...spec },
});
const claim = { name: 'data', mountPath: '/data', size: '1Gi' };
const input = { name: 'input', mountPath: '/etc/input', data: { plan: 'all' } };
const exits = (onExitCodes: Fields) => ({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } });

const { crdCase, pinionCase } = caseBuilders(jobSet);
/** Values of a set with several jobs. */
const jobs = (replicatedJobs: readonly Fields[], spec: Fields = {}): Fields => ({
  shards: undefined,
  template: undefined,
  replicatedJobs,
  ...spec,
});
const job = (name: string, fields: Fields = {}): Fields => ({ name, template: template(), ...fields });
const dependsOn = (name: string, status = 'Ready'): Fields => ({ dependsOn: [{ name, status }] });
const controllerCase = (title: string, spec: Fields, path: string): ProblemCase =>
  pinionCase(title, spec, 'needs-controller', path);

export const cases: readonly ProblemCase[] = [
  crdCase('no shards', { shards: 0 }, 'out-of-range', 'spec.shards'),
  crdCase('no template', { template: undefined }, 'required', 'spec.template'),
  crdCase('a field of a native Job', { completions: 4 }, 'unknown-field', 'spec.completions'),
  crdCase('a deadline that is not a duration', { activeDeadline: '2 hours' }, 'bad-format', 'spec.activeDeadline'),
  crdCase(
    'an override for a shard that does not exist',
    { overrides: [{ shards: [0, 4], env: { A: '1' } }] },
    'unknown-reference',
    'spec.overrides[0].shards[1]',
    'shards-in-overrides',
  ),
  crdCase(
    'a pod condition with a long name',
    {
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'x'.repeat(64), status: 'True' }] }] },
    },
    'bad-format',
    'spec.podFailurePolicy.rules[0].onPodConditions[0].type',
  ),
  crdCase(
    'a pod condition with an unknown status',
    { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'Ready', status: 'Yes' }] }] } },
    'unsupported-value',
    'spec.podFailurePolicy.rules[0].onPodConditions[0].status',
  ),
  crdCase('a label key with an invalid domain', { labels: { 'a..b/c': 'd' } }, 'bad-format', 'spec.labels["a..b/c"]'),
  crdCase(
    'an override without changes',
    { overrides: [{ shards: [0] }] },
    'required',
    'spec.overrides[0]',
    'override-not-empty',
  ),
  crdCase(
    'an override without shards',
    { overrides: [{ shards: [], pool: 'highmem' }] },
    'out-of-range',
    'spec.overrides[0].shards',
  ),
  pinionCase(
    'an override of an unknown config template',
    { configTemplates: [input], overrides: [{ shards: [0], config: { inputs: { plan: 'some' } } }] },
    'unknown-reference',
    'spec.overrides[0].config.inputs',
    'override-config-known',
  ),
  pinionCase(
    'an override of an unknown claim template',
    { overrides: [{ shards: [0], claimSizes: { data: '2Gi' } }] },
    'unknown-reference',
    'spec.overrides[0].claimSizes.data',
    'override-claim-known',
  ),
  pinionCase(
    'an override that requests more than its limit',
    { overrides: [{ shards: [0], resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }] },
    'invalid-combination',
    'spec.overrides[0].resources.requests.memory',
    'amounts-in-order',
  ),
  crdCase(
    'success of an unknown shard',
    { successPolicy: { shards: [9] } },
    'unknown-reference',
    'spec.successPolicy.shards[0]',
    'shards-in-success',
  ),
  crdCase('an empty success policy', { successPolicy: {} }, 'required', 'spec.successPolicy', 'success-policy'),
  crdCase(
    'success of more shards than may decide',
    { successPolicy: { shards: [0, 1], count: 3 } },
    'invalid-combination',
    'spec.successPolicy.count',
    'success-count',
  ),
  crdCase(
    'more failed shards than shards',
    { failurePolicy: { maxFailedShards: 5 } },
    'invalid-combination',
    'spec.failurePolicy.maxFailedShards',
    'max-failed-shards',
  ),
  pinionCase(
    'a claim template with the name of a volume',
    { volumeClaimTemplates: [claim], template: template({ volumes: [{ name: 'data', emptyDir: {} }] }) },
    'duplicate',
    'spec.volumeClaimTemplates[0].name',
    'shard-volumes-differ',
  ),
  pinionCase(
    'two templates at one mount path',
    { configTemplates: [input], volumeClaimTemplates: [{ ...claim, mountPath: '/etc/input' }] },
    'duplicate',
    'spec.volumeClaimTemplates[0].mountPath',
    'shard-mounts-differ',
  ),
  crdCase(
    'two claim templates with the same name',
    { volumeClaimTemplates: [claim, { ...claim, mountPath: '/more' }] },
    'duplicate',
    'spec.volumeClaimTemplates[1].name',
  ),
  crdCase(
    'a reserved platform volume name',
    { configTemplates: [{ ...input, name: 'pinion-input' }] },
    'platform-owned',
    'spec.configTemplates[0].name',
    'volume-name-reserved',
  ),
  pinionCase(
    'files too large for a ConfigMap',
    {
      configTemplates: [
        { ...input, data: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(220_000)])) },
      ],
    },
    'out-of-range',
    'spec.configTemplates[0].data',
    'shard-config-size',
  ),
  crdCase(
    'a file in a folder',
    { configTemplates: [{ ...input, data: { 'a/b': '' } }] },
    'bad-format',
    'spec.configTemplates[0].data["a/b"]',
  ),
  pinionCase(
    'a negative claim size of a shard',
    { volumeClaimTemplates: [claim], overrides: [{ shards: [0], claimSizes: { data: '-2Gi' } }] },
    'out-of-range',
    'spec.overrides[0].claimSizes.data',
    'override-claim-size',
  ),
  pinionCase(
    'a claim of size zero',
    { volumeClaimTemplates: [{ ...claim, size: '0' }] },
    'out-of-range',
    'spec.volumeClaimTemplates[0].size',
    'claim-size',
  ),
  crdCase(
    'ReadWriteOncePod with other access modes',
    { volumeClaimTemplates: [{ ...claim, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }] },
    'invalid-combination',
    'spec.volumeClaimTemplates[0].accessModes',
    'claim-access-alone',
  ),
  crdCase(
    'a folder outside of the volume',
    { volumeClaimTemplates: [{ ...claim, subPath: '../other' }] },
    'bad-format',
    'spec.volumeClaimTemplates[0].subPath',
    'claim-sub-path',
  ),
  crdCase(
    'a replacement before a rule can match',
    { ...exits({ operator: 'In', values: [2] }), podReplacementPolicy: 'TerminatingOrFailed' },
    'invalid-combination',
    'spec.podReplacementPolicy',
    'replacement-with-failure-rules',
  ),
  crdCase(
    'an empty failure rule',
    { podFailurePolicy: { rules: [{ action: 'Ignore' }] } },
    'invalid-combination',
    'spec.podFailurePolicy.rules[0]',
    'failure-rule-form',
  ),
  pinionCase(
    'unsorted exit codes',
    exits({ operator: 'In', values: [42, 2] }),
    'out-of-range',
    'spec.podFailurePolicy.rules[0].onExitCodes.values',
    'failure-rule-exit-codes',
  ),
  pinionCase(
    'success of more shards than listed, because one is listed twice',
    { successPolicy: { shards: [1, 1], count: 2 } },
    'invalid-combination',
    'spec.successPolicy.count',
    'success-count-distinct',
  ),
  pinionCase(
    'exit code 0 as a failure',
    exits({ operator: 'In', values: [0] }),
    'out-of-range',
    'spec.podFailurePolicy.rules[0].onExitCodes.values',
    'failure-rule-exit-codes',
  ),
  pinionCase(
    'exit codes of an unknown container',
    exits({ operator: 'In', values: [2], containerName: 'crwl' }),
    'unknown-reference',
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName',
    'failure-rule-container',
  ),
  crdCase(
    'an unknown Job action',
    { podFailurePolicy: { rules: [{ action: 'Retry' }] } },
    'unsupported-value',
    'spec.podFailurePolicy.rules[0].action',
  ),
  crdCase('an empty list of jobs', jobs([]), 'out-of-range', 'spec.replicatedJobs'),
  crdCase('two jobs of one name', jobs([job('workers'), job('workers')]), 'duplicate', 'spec.replicatedJobs[1].name'),
  crdCase('a job without pods', jobs([{ name: 'workers' }]), 'required', 'spec.replicatedJobs[0].template'),
  crdCase(
    'more jobs than allowed',
    jobs(Array.from({ length: 17 }, (_, at) => job(`job-${at}`))),
    'out-of-range',
    'spec.replicatedJobs',
  ),
  crdCase(
    'a template beside jobs',
    jobs([job('workers')], { template: template() }),
    'invalid-combination',
    'spec.template',
    'template-without-jobs',
  ),
  crdCase(
    'shards beside jobs',
    jobs([job('workers')], { shards: 2 }),
    'invalid-combination',
    'spec.shards',
    'shards-without-jobs',
  ),
  crdCase(
    'a number of shards that must succeed, with jobs',
    jobs([job('workers')], { successPolicy: { count: 1 } }),
    'invalid-combination',
    'spec.successPolicy.count',
    'success-policy-count-without-jobs',
  ),
  crdCase(
    'a success policy by jobs, with one template',
    { successPolicy: { operator: 'All' } },
    'invalid-combination',
    'spec.successPolicy.operator',
    'success-policy-operator-with-jobs',
  ),
  crdCase(
    'a dependency on an unknown job',
    jobs([job('workers', dependsOn('drver'))]),
    'unknown-reference',
    'spec.replicatedJobs[0].dependsOn[0].name',
    'depends-on-known',
  ),
  crdCase(
    'a dependency on an unknown state',
    jobs([job('driver'), job('workers', dependsOn('driver', 'Started'))]),
    'unsupported-value',
    'spec.replicatedJobs[1].dependsOn[0].status',
  ),
  crdCase(
    'jobs that wait for each other',
    jobs([job('driver', dependsOn('workers')), job('workers', dependsOn('driver'))]),
    'invalid-combination',
    'spec.replicatedJobs[0].dependsOn[0].name',
    'depends-on-order',
  ),
  crdCase(
    'success of an unknown job',
    jobs([job('workers')], { successPolicy: { jobs: ['worker'] } }),
    'unknown-reference',
    'spec.successPolicy.jobs[0]',
    'success-jobs-known',
  ),
  crdCase(
    'a failure rule of an unknown job',
    jobs([job('workers')], { failurePolicy: { rules: [{ action: 'FailJobSet', jobs: ['worker'] }] } }),
    'unknown-reference',
    'spec.failurePolicy.rules[0].jobs[0]',
    'failure-jobs-known',
  ),
  crdCase(
    'a failure rule with a reason that Indexed Jobs do not have',
    jobs([job('workers')], { failurePolicy: { rules: [{ action: 'FailJobSet', reasons: ['BackoffLimitExceeded'] }] } }),
    'unsupported-value',
    'spec.failurePolicy.rules[0].reasons[0]',
  ),
  crdCase(
    'a coordinator that does not exist',
    jobs([job('driver')], { coordinator: { job: 'driver', replica: 1 } }),
    'unknown-reference',
    'spec.coordinator.replica',
    'coordinator-known',
  ),
  crdCase(
    'more shards than a set can have',
    jobs([job('workers', { replicas: 101, shards: 100 })]),
    'out-of-range',
    'spec.replicatedJobs',
    'shards-of-all-jobs',
  ),
  crdCase(
    'more failed shards of a job than it has',
    jobs([job('workers', { maxFailedShards: 2 })]),
    'invalid-combination',
    'spec.replicatedJobs[0].maxFailedShards',
    'job-max-failed-shards',
  ),
  controllerCase(
    'a start order',
    jobs([job('driver'), job('workers', dependsOn('driver'))]),
    'spec.replicatedJobs[1].dependsOn',
  ),
  controllerCase(
    'success by job',
    jobs([job('driver'), job('workers')], { successPolicy: { jobs: ['driver'] } }),
    'spec.successPolicy',
  ),
  controllerCase(
    'failure rules by job',
    jobs([job('driver')], { failurePolicy: { rules: [{ action: 'FailJobSet' }] } }),
    'spec.failurePolicy.rules',
  ),
  controllerCase('a set that is restarted', { failurePolicy: { maxRestarts: 1 } }, 'spec.failurePolicy.maxRestarts'),
  controllerCase(
    'success of some shards with different templates',
    { volumeClaimTemplates: [claim], successPolicy: { count: 1 } },
    'spec.successPolicy',
  ),
  controllerCase(
    'a failure limit for shards with different templates',
    { volumeClaimTemplates: [claim], failurePolicy: { maxFailedShards: 1 } },
    'spec.failurePolicy.maxFailedShards',
  ),
  controllerCase(
    'limited parallelism of shards with different templates',
    { volumeClaimTemplates: [claim], parallelism: 2 },
    'spec.parallelism',
  ),
  controllerCase(
    'volumes that outlive the set',
    { volumeClaimTemplates: [claim], claimRetention: 'Retain' },
    'spec.claimRetention',
  ),
  controllerCase(
    'a failure that ends all shards with different templates',
    { volumeClaimTemplates: [claim], ...exits({ operator: 'In', values: [2] }) },
    'spec.podFailurePolicy.rules[0].action',
  ),
];
