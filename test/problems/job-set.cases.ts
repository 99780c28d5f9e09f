import { casesAbout, type Fields, type ProblemCase } from './problem-case';

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

const { broken, seenByUs } = casesAbout(jobSet);
const onlyController = (title: string, spec: Fields, path: string): ProblemCase =>
  seenByUs(title, spec, 'needs-controller', path);

export const cases: readonly ProblemCase[] = [
  broken('no shards', { shards: 0 }, 'out-of-range', 'spec.shards'),
  broken('no template', { template: undefined }, 'required', 'spec.template'),
  broken('a field of a native Job', { completions: 4 }, 'unknown-field', 'spec.completions'),
  broken('a deadline that is not a duration', { activeDeadline: '2 hours' }, 'bad-format', 'spec.activeDeadline'),
  broken(
    'an override for a shard that does not exist',
    { overrides: [{ shards: [0, 4], env: { A: '1' } }] },
    'unknown-reference',
    'spec.overrides[0].shards[1]',
    'shards-in-overrides',
  ),
  broken(
    'an override without changes',
    { overrides: [{ shards: [0] }] },
    'required',
    'spec.overrides[0]',
    'override-says-something',
  ),
  broken(
    'an override without shards',
    { overrides: [{ shards: [], pool: 'highmem' }] },
    'out-of-range',
    'spec.overrides[0].shards',
  ),
  seenByUs(
    'an override of an unknown config template',
    { configTemplates: [input], overrides: [{ shards: [0], config: { inputs: { plan: 'some' } } }] },
    'unknown-reference',
    'spec.overrides[0].config.inputs',
    'override-config-known',
  ),
  seenByUs(
    'an override of an unknown claim template',
    { overrides: [{ shards: [0], claimSizes: { data: '2Gi' } }] },
    'unknown-reference',
    'spec.overrides[0].claimSizes.data',
    'override-claim-known',
  ),
  seenByUs(
    'an override that requests more than its limit',
    { overrides: [{ shards: [0], resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }] },
    'invalid-combination',
    'spec.overrides[0].resources.requests.memory',
    'amounts-in-order',
  ),
  broken(
    'success of an unknown shard',
    { successPolicy: { shards: [9] } },
    'unknown-reference',
    'spec.successPolicy.shards[0]',
    'shards-in-success',
  ),
  broken('an empty success policy', { successPolicy: {} }, 'required', 'spec.successPolicy', 'success-policy'),
  broken(
    'success of more shards than may decide',
    { successPolicy: { shards: [0, 1], count: 3 } },
    'invalid-combination',
    'spec.successPolicy.count',
    'success-count',
  ),
  broken(
    'more failed shards than shards',
    { failurePolicy: { maxFailedShards: 5 } },
    'invalid-combination',
    'spec.failurePolicy.maxFailedShards',
    'max-failed-shards',
  ),
  seenByUs(
    'a claim template with the name of a volume',
    { volumeClaimTemplates: [claim], template: template({ volumes: [{ name: 'data', emptyDir: {} }] }) },
    'duplicate',
    'spec.volumeClaimTemplates[0].name',
    'shard-volumes-differ',
  ),
  seenByUs(
    'two templates at one mount path',
    { configTemplates: [input], volumeClaimTemplates: [{ ...claim, mountPath: '/etc/input' }] },
    'duplicate',
    'spec.volumeClaimTemplates[0].mountPath',
    'shard-mounts-differ',
  ),
  broken(
    'two claim templates with the same name',
    { volumeClaimTemplates: [claim, { ...claim, mountPath: '/more' }] },
    'duplicate',
    'spec.volumeClaimTemplates[1].name',
  ),
  broken(
    'a reserved platform volume name',
    { configTemplates: [{ ...input, name: 'pinion-input' }] },
    'platform-owned',
    'spec.configTemplates[0].name',
    'volume-name-reserved',
  ),
  seenByUs(
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
  broken(
    'a file in a folder',
    { configTemplates: [{ ...input, data: { 'a/b': '' } }] },
    'bad-format',
    'spec.configTemplates[0].data["a/b"]',
  ),
  seenByUs(
    'a claim of size zero',
    { volumeClaimTemplates: [{ ...claim, size: '0' }] },
    'out-of-range',
    'spec.volumeClaimTemplates[0].size',
    'claim-size',
  ),
  broken(
    'ReadWriteOncePod with other access modes',
    { volumeClaimTemplates: [{ ...claim, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }] },
    'invalid-combination',
    'spec.volumeClaimTemplates[0].accessModes',
    'claim-access-alone',
  ),
  broken(
    'a folder outside of the volume',
    { volumeClaimTemplates: [{ ...claim, subPath: '../other' }] },
    'bad-format',
    'spec.volumeClaimTemplates[0].subPath',
    'claim-sub-path',
  ),
  broken(
    'a replacement before a rule can match',
    { ...exits({ operator: 'In', values: [2] }), podReplacementPolicy: 'TerminatingOrFailed' },
    'invalid-combination',
    'spec.podReplacementPolicy',
    'replacement-with-failure-rules',
  ),
  broken(
    'an empty failure rule',
    { podFailurePolicy: { rules: [{ action: 'Ignore' }] } },
    'invalid-combination',
    'spec.podFailurePolicy.rules[0]',
    'failure-rule-form',
  ),
  seenByUs(
    'unsorted exit codes',
    exits({ operator: 'In', values: [42, 2] }),
    'out-of-range',
    'spec.podFailurePolicy.rules[0].onExitCodes.values',
    'failure-rule-exit-codes',
  ),
  seenByUs(
    'success of more shards than listed, because one is listed twice',
    { successPolicy: { shards: [1, 1], count: 2 } },
    'invalid-combination',
    'spec.successPolicy.count',
    'success-count-distinct',
  ),
  seenByUs(
    'exit code 0 as a failure',
    exits({ operator: 'In', values: [0] }),
    'out-of-range',
    'spec.podFailurePolicy.rules[0].onExitCodes.values',
    'failure-rule-exit-codes',
  ),
  seenByUs(
    'exit codes of an unknown container',
    exits({ operator: 'In', values: [2], containerName: 'crwl' }),
    'unknown-reference',
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName',
    'failure-rule-container',
  ),
  broken(
    'an unknown Job action',
    { podFailurePolicy: { rules: [{ action: 'Retry' }] } },
    'unsupported-value',
    'spec.podFailurePolicy.rules[0].action',
  ),
  onlyController('a set that is restarted', { failurePolicy: { maxRestarts: 1 } }, 'spec.failurePolicy.maxRestarts'),
  onlyController(
    'success of some shards with different templates',
    { volumeClaimTemplates: [claim], successPolicy: { count: 1 } },
    'spec.successPolicy',
  ),
  onlyController(
    'a failure limit for shards with different templates',
    { volumeClaimTemplates: [claim], failurePolicy: { maxFailedShards: 1 } },
    'spec.failurePolicy.maxFailedShards',
  ),
  onlyController(
    'limited parallelism of shards with different templates',
    { volumeClaimTemplates: [claim], parallelism: 2 },
    'spec.parallelism',
  ),
  onlyController(
    'volumes that outlive the set',
    { volumeClaimTemplates: [claim], claimRetention: 'Retain' },
    'spec.claimRetention',
  ),
  onlyController(
    'a failure that ends all shards with different templates',
    { volumeClaimTemplates: [claim], ...exits({ operator: 'In', values: [2] }) },
    'spec.podFailurePolicy.rules[0].action',
  ),
];
