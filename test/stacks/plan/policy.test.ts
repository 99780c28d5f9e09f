import { withCreated } from '../../../stacks/plan';
import { rolePlans } from '../../../stacks/plan/iam/roles';
import { makeCluster } from './make-cluster';

test('replaces every placeholder with the created resource', () => {
  const texts = rolePlans(makeCluster()).map(({ policy }) => withCreated(policy, { zoneId: 'Z123', keyId: 'k-1' }));
  expect(texts.join('')).toContain('arn:aws:route53:::hostedzone/Z123');
  expect(texts.join('')).toContain('arn:aws:kms:us-east-1:123456789012:key/k-1');
  expect(texts.join('')).not.toMatch(/[<>]/);
});

test('policies are JSON of the version that supports variables and tags', () => {
  for (const { policy, args } of rolePlans(makeCluster()))
    for (const text of [policy, args.assumeRolePolicy])
      expect(JSON.parse(text)).toMatchObject({ Version: '2012-10-17' });
});
