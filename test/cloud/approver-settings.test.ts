import { readApproverSettings } from '../../lib/cloud/approver-settings';
import { defaultIdentityPolicy } from '../../lib/operations';

const required = {
  AWS_REGION: 'us-east-1',
  CLUSTER: 'prod',
  BOOTSTRAP_GROUP: 'system:bootstrappers:pinion',
  LEASE_NAMESPACE: 'kube-system',
};

test('defaults optional variables', () => {
  expect(readApproverSettings(required)).toEqual({
    settings: {
      region: 'us-east-1',
      cluster: 'prod',
      bootstrapGroup: 'system:bootstrappers:pinion',
      leaseNamespace: 'kube-system',
      policy: defaultIdentityPolicy,
    },
  });
});

test('parses durations', () => {
  expect(readApproverSettings({ ...required, MAX_INSTANCE_AGE: '90m', INSTANCE_LOOKUP_TIMEOUT: '30s' })).toMatchObject({
    settings: { policy: { maxInstanceAge: 5_400_000, instanceLookupTimeout: 30_000 } },
  });
});

test('returns all problems at once', () => {
  const result = readApproverSettings({
    ...required,
    CLUSTER: '',
    BOOTSTRAP_GROUP: undefined,
    MAX_INSTANCE_AGE: 'an hour',
  });
  expect('problems' in result && result.problems.map(({ code, path }) => [code, ...path])).toEqual([
    ['required', 'CLUSTER'],
    ['required', 'BOOTSTRAP_GROUP'],
    ['bad-format', 'MAX_INSTANCE_AGE'],
  ]);
});
