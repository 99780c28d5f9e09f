import { bucketPlans } from '../../../stacks/plan/storage/buckets';
import { encryptionKeyPlan } from '../../../stacks/plan/storage/encryption-key';
import { expectGolden } from './expect-golden';
import { makeCluster } from './make-cluster';

interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Principal: unknown;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}
const statements = (policy: string): readonly Statement[] =>
  (JSON.parse(policy) as { readonly Statement: readonly Statement[] }).Statement;
const buckets = bucketPlans(makeCluster());

test('buckets with their lifecycle, encryption and policies match the golden file', () => {
  expectGolden(
    'buckets.yaml',
    buckets.map(({ policy, ...bucket }) => ({ ...bucket, policy: statements(policy) })),
  );
});

test('the public may read the two OIDC documents of the issuer and nothing else', () => {
  const open = buckets.flatMap(({ policy }) =>
    statements(policy).filter(({ Effect, Principal }) => Effect === 'Allow' && Principal === '*'),
  );
  expect(open.flatMap(({ Action, Resource }) => [Action, Resource].flat())).toEqual([
    's3:GetObject',
    'arn:aws:s3:::shop-123456789012-us-east-1-issuer/.well-known/openid-configuration',
    'arn:aws:s3:::shop-123456789012-us-east-1-issuer/openid/v1/jwks',
  ]);
});

test('every bucket rejects requests without TLS, and those of snapshots and logs are protected from deletion', () => {
  for (const { policy } of buckets)
    expect(statements(policy).map(({ Sid }) => Sid)).toContain('OnlyEncryptedTransport');
  expect(buckets.filter(({ protect }) => protect).map(({ purpose }) => purpose)).toEqual(['snapshots', 'logs']);
  expect(buckets.filter(({ args }) => args.forceDestroy).map(({ purpose }) => purpose)).toEqual(['logs', 'issuer']);
});

test('the configuration may name the buckets', () => {
  const named = bucketPlans(makeCluster({ buckets: { snapshots: 'company-etcd' } }));
  expect(named.map(({ args }) => args.bucket)).toEqual([
    'company-etcd',
    'shop-123456789012-us-east-1-logs',
    'shop-123456789012-us-east-1-issuer',
  ]);
});

test('the account delegates the key to IAM, and Auto Scaling may use it for specific actions', () => {
  const { key } = encryptionKeyPlan(makeCluster());
  expect(
    statements(key.args.policy)
      .flatMap(({ Action }) => Action)
      .filter((action) => action.includes('*')),
  ).toEqual([]);
  expect(key.protect).toBe(true);
  expectGolden('key-policy.yaml', statements(key.args.policy));
});
