import { type ClusterConfig } from '../../../stacks/plan';
import { type IamStatement } from '../../../stacks/plan/iam/policy';
import { rolePlans } from '../../../stacks/plan/iam/roles';
import { expectGolden } from './expect-golden';
import { makeCluster } from './make-cluster';

const roles = (
  config: ClusterConfig = makeCluster({
    ecrRepositories: ['platform/*'],
    artifacts: { store: 's3://shop-artifacts/store', verificationStore: 's3://shop-witness' },
  }),
) => rolePlans(config);
const all = roles().flatMap(({ role, statements }) => statements.map((one) => ({ role, ...one })));

/** Read-only actions for which AWS supports no resource-level permissions. */
const describes = /^(autoscaling|ec2|elasticloadbalancing):Describe|^ec2:GetInstanceTypesFromInstanceRequirements$/;
/** Other actions without resource-level permissions. */
const unbounded = [
  'ecr:GetAuthorizationToken',
  'route53:ListHostedZones',
  'ssm:UpdateInstanceInformation',
  'ssmmessages:CreateControlChannel',
  'ssmmessages:CreateDataChannel',
  'ssmmessages:OpenControlChannel',
  'ssmmessages:OpenDataChannel',
];

/** Formats a role for the golden file. */
const statementsOf = (statements: readonly IamStatement[]) =>
  statements.map(({ name, actions, resources, when }) => ({
    [name]: {
      may: actions.join(', '),
      on: resources,
      ...(when && {
        when: Object.entries(when).flatMap(([operator, keys]) =>
          Object.entries(keys).map(([key, value]) => `${operator} ${key} = ${[value].flat().join(' | ')}`),
        ),
      }),
    },
  }));

test('permissions and trusted principals of each role match the golden file', () => {
  expectGolden(
    'roles.yaml',
    Object.fromEntries(
      roles().map(({ role, args, trust, statements }) => [
        role,
        {
          name: args.name,
          principal: 'service' in trust ? trust.service : trust.when,
          statements: statementsOf(statements),
        },
      ]),
    ),
  );
});

test('the submission service has a role only with a store, limited to that store, and writes nothing but retention holds', () => {
  expect(roles(makeCluster()).some(({ role }) => role === 'submission')).toBe(false);
  const [role] = roles(makeCluster({ artifacts: { store: 's3://shop-artifacts' } })).filter(
    (one) => one.role === 'submission',
  );
  const writing = role?.statements.filter(({ actions }) => actions.some((action) => !/:(Get|List)/.test(action)));
  expect(writing).toEqual([
    {
      name: 'HoldArtifacts',
      actions: ['s3:DeleteObject', 's3:PutObject'],
      resources: ['arn:aws:s3:::shop-artifacts/holds/*'],
    },
  ]);
  expect(
    role?.statements.flatMap(({ resources }) => resources).filter((one) => !one.includes('shop-artifacts')),
  ).toEqual([]);
});

test('no action has a wildcard', () => {
  expect(all.flatMap(({ actions }) => actions).filter((action) => !/^[a-z0-9]+:[A-Za-z0-9]+$/.test(action))).toEqual(
    [],
  );
});

test('a statement allows all resources only if AWS supports no narrower one', () => {
  const violations = all
    .filter(({ resources }) => resources.includes('*'))
    .flatMap(({ role, actions }) => actions.map((action) => ({ role, action })))
    .filter(({ action }) => !describes.test(action) && !unbounded.includes(action));
  expect(violations).toEqual([]);
});

test('statements on all resources of a type are restricted to the cluster by a tag, request or service condition', () => {
  const broad = all.filter(({ resources }) => resources.some((one) => /[:/]\*$/.test(one) && !one.includes('shop')));
  const unrestricted = broad.filter(({ when }) => {
    const keys = Object.values(when ?? {}).flatMap((one) => Object.keys(one));
    return !keys.some((key) =>
      /^aws:(Request|Resource)Tag\/|^ec2:CreateAction$|^elasticloadbalancing:CreateAction$/.test(key),
    );
  });
  expect(unrestricted.map(({ role, name }) => `${role} ${name}`)).toEqual([
    'control-plane PullImages',
    'worker PullImages',
  ]);
});

test('nothing that runs in the cluster may change volumes, interfaces or groups of control plane nodes', () => {
  const controlPlaneTags = {
    'pinion/cluster': 'shop',
    'pinion/part': 'control-plane',
    'pinion/member': 'a',
    'pinion/etcd': 'main',
  };
  const changes = all.filter(
    ({ role, actions }) =>
      role !== 'control-plane' &&
      actions.some((action) => /Volume|Interface|Terminate|SetDesired/.test(action) && !describes.test(action)),
  );
  expect(changes.length).toBeGreaterThan(0);
  for (const { when } of changes) {
    const required = Object.entries(when?.['StringEquals'] ?? {}).filter(([key]) => key.startsWith('aws:ResourceTag/'));
    const request = Object.keys(when?.['StringEquals'] ?? {}).some((key) =>
      /^aws:RequestTag\/|CreateAction$|kms:ViaService/.test(key),
    );
    const lacking = required.filter(([key]) => !(key.replace('aws:ResourceTag/', '') in controlPlaneTags));
    expect(request || lacking.length > 0).toBe(true);
  }
});

test('workers may read two parameters and no key of the control plane', () => {
  const worker = all.filter(
    ({ role, actions }) => role === 'worker' && actions.some((action) => action.startsWith('ssm:Get')),
  );
  expect(worker.flatMap(({ resources }) => resources)).toEqual([
    'arn:aws:ssm:us-east-1:123456789012:parameter/pinion/shop/ca-certificate',
    'arn:aws:ssm:us-east-1:123456789012:parameter/pinion/shop/bootstrap-token',
  ]);
});

test('control plane nodes may create keys once and may not overwrite them', () => {
  const writes = all.filter(({ role, actions }) => role === 'control-plane' && actions.includes('ssm:PutParameter'));
  const free = writes.filter(({ when }) => when === undefined).flatMap(({ resources }) => resources);
  expect(free).toEqual(['arn:aws:ssm:us-east-1:123456789012:parameter/pinion/shop/bootstrap-token']);
});

test('only one service account of this cluster may assume the role of a program', () => {
  const trust = roles().find(({ role }) => role === 'external-dns')?.args.assumeRolePolicy ?? '';
  const issuer = 'shop-123456789012-us-east-1-issuer.s3.us-east-1.amazonaws.com';
  expect(JSON.parse(trust)).toEqual({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: `arn:aws:iam::123456789012:oidc-provider/${issuer}` },
        Condition: {
          StringEquals: {
            [`${issuer}:aud`]: 'sts.amazonaws.com',
            [`${issuer}:sub`]: 'system:serviceaccount:platform-ingress:external-dns',
          },
        },
      },
    ],
  });
});

test('only machines have instance profiles', () => {
  expect(roles().flatMap(({ role, instanceProfile }) => (instanceProfile === undefined ? [] : [role]))).toEqual([
    'control-plane',
    'worker',
  ]);
});

test('each policy fits the IAM size limit, and its statement ids are unique', () => {
  for (const { policy, statements } of roles()) {
    expect(policy.length).toBeLessThanOrEqual(10_240);
    const names = statements.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Za-z0-9]+$/.test(name))).toEqual([]);
  }
});

test('without registry and remote access, machines may do no more than join', () => {
  const bare = roles(makeCluster({ remoteAccess: 'none' })).find(({ role }) => role === 'worker');
  expect(bare?.statements.map(({ name }) => name)).toEqual(['ReadParameters', 'DecryptParameters']);
});

test('ARNs in policies contain the partition of the region', () => {
  const gov = makeCluster({ region: 'us-gov-west-1', zones: ['us-gov-west-1a', 'us-gov-west-1b', 'us-gov-west-1c'] });
  const arns = roles(gov).flatMap(({ statements }) => statements.flatMap(({ resources }) => resources));
  expect(arns.filter((arn) => arn !== '*' && !arn.startsWith('arn:aws-us-gov:'))).toEqual([]);
});
