import { readApproverSettings } from '../../lib/cloud/approver-settings';
import { usualIdentityPolicy } from '../../lib/operations';

const needed = {
  AWS_REGION: 'us-east-1',
  CLUSTER: 'prod',
  BOOTSTRAP_GROUP: 'system:bootstrappers:pinion',
  LEASE_NAMESPACE: 'kube-system',
};

test('what is not said is as usual', () => {
  expect(readApproverSettings(needed)).toEqual({
    settings: {
      region: 'us-east-1',
      cluster: 'prod',
      bootstrapGroup: 'system:bootstrappers:pinion',
      leaseNamespace: 'kube-system',
      policy: usualIdentityPolicy,
    },
  });
});

test('times are durations', () => {
  expect(readApproverSettings({ ...needed, YOUTH: '90m', CLOUD_PATIENCE: '30s' })).toMatchObject({
    settings: { policy: { youth: 5_400_000, patience: 30_000 } },
  });
});

test('all that is wrong is told at once', () => {
  const read = readApproverSettings({ ...needed, CLUSTER: '', BOOTSTRAP_GROUP: undefined, YOUTH: 'an hour' });
  expect('problems' in read && read.problems.map(({ code, path }) => [code, ...path])).toEqual([
    ['required', 'CLUSTER'],
    ['required', 'BOOTSTRAP_GROUP'],
    ['bad-format', 'YOUTH'],
  ]);
});
