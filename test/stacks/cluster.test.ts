import { tagKeys } from '../../lib/api';
import { planClusterStack, type ClusterPlan, type PlannedResource } from '../../stacks/plan';
import { plainCluster } from './plan/make-cluster';
import { recordRun, type Recorded, type RecordedRun } from './recorded-run';

const mixed = {
  ...plainCluster,
  load: {
    nodes: 300,
    pods: 6000,
    mix: {
      general: { kind: 'general', share: 0.8, cores: 0.5, memoryGib: 1 },
      batch: { kind: 'spot', share: 0.2, cores: 0.5, memoryGib: 1 },
    },
  },
} as const;
const { plan } = planClusterStack(mixed);
let update: RecordedRun;
beforeAll(async () => {
  update = await recordRun({ stack: 'cluster-shop', config: { cluster: mixed } });
});

const byType = (type: string, resources = update.resources): Recorded[] =>
  resources.filter((one) => one.type.endsWith(`:${type}`));
const named = (type: string, name: string): Recorded => {
  const [one, ...more] = byType(type).filter((candidate) => candidate.name === name);
  if (!one || more.length > 0) throw new Error(`found ${more.length + (one ? 1 : 0)} resources ${type} ${name}`);
  return one;
};
const custom = (): Recorded[] => update.resources.filter((one) => one.custom && !one.type.startsWith('pulumi:'));
/** Returns the direct and transitive dependencies of a resource. */
const dependenciesOf = (resource: Recorded): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (urns: readonly string[]): void => {
    for (const urn of urns.filter((one) => !found.has(one))) {
      found.add(urn);
      visit(update.resources.find((one) => one.urn === urn)?.dependencies ?? []);
    }
  };
  visit(resource.dependencies);
  return found;
};

/** Returns all resources in a plan. */
function plannedIn(value: unknown): PlannedResource<object>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'name' in value && 'args' in value ? [value as PlannedResource<object>] : [];
  return [...own, ...Object.values(value).flatMap(plannedIn)];
}
const contains = (whole: unknown, part: unknown): boolean =>
  typeof part === 'object' && part !== null
    ? typeof whole === 'object' &&
      whole !== null &&
      Object.entries(part).every(([key, value]) => contains((whole as Record<string, unknown>)[key], value))
    : whole === part;
/** Resources that accompany a planned one and have no arguments in the plan. */
const companionTypes = ['Eip', 'InstanceProfile', 'RouteTableAssociation', 'Route', 'RolePolicy'];
const bucketSettings = /^aws:s3\/bucket(Lifecycle|Logging|Ownership|Policy|PublicAccess|ServerSide|Versioning)/;
const isCompanion = ({ type }: Recorded): boolean =>
  bucketSettings.test(type) || companionTypes.some((one) => type.endsWith(`:${one}`));

test('creates every resource of the plan exactly once, with all planned arguments', () => {
  const unclaimed = new Set(custom().filter((one) => !isCompanion(one)));
  // The resources with most arguments match first: the arguments of a route table are a subset of its subnet's.
  const size = ({ args }: PlannedResource<object>): number => Object.keys(args).length;
  const planned = plannedIn(plan satisfies ClusterPlan).sort((a, b) => size(b) - size(a));
  const missing = planned.filter(({ name, args }) => {
    const found = [...unclaimed].find((one) => one.name === name && contains(one.inputs, args));
    return !found || !unclaimed.delete(found);
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect([...unclaimed].map(({ urn }) => urn)).toEqual([]);
});

test('creates only bucket settings, routes, addresses and policies in addition to the planned resources', () => {
  const buckets = plan.buckets.length;
  const count = (type: string): number => byType(type).length;
  expect(count('BucketPolicy')).toBe(buckets);
  expect(count('BucketPublicAccessBlock')).toBe(buckets);
  expect(count('BucketServerSideEncryptionConfiguration')).toBe(buckets);
  expect(count('BucketLifecycleConfiguration')).toBe(buckets);
  expect(count('BucketVersioning')).toBe(buckets);
  expect(count('BucketOwnershipControls')).toBe(buckets);
  expect(count('BucketLogging')).toBe(buckets - 1);
  expect(count('RouteTableAssociation')).toBe(plan.network.subnets.length);
  expect(count('Route')).toBe(plan.network.routeTables.length);
  expect(count('Eip')).toBe(plan.network.natGateways.length);
  expect(count('RolePolicy')).toBe(plan.roles.length);
  expect(byType('InstanceProfile').map(({ name }) => name)).toEqual(['control-plane', 'worker']);
});

test('protects resources that hold data, and nothing else', () => {
  const names = update.resources
    .filter(({ protect }) => protect)
    .map(({ type, name }) => `${type.split(':').at(-1)} ${name}`);
  expect(names.sort()).toEqual([
    'Bucket logs',
    'Bucket snapshots',
    'Key key',
    'Volume etcd-events-a',
    'Volume etcd-events-b',
    'Volume etcd-events-c',
    'Volume etcd-main-a',
    'Volume etcd-main-b',
    'Volume etcd-main-c',
  ]);
});

test('tags every resource that supports tags with the tags of the cluster', () => {
  const without =
    /^(Alias|Bucket\w+|EventTarget|LifecycleHook|QueuePolicy|Record|RolePolicy|Route|RouteTableAssociation|TargetGroupAttachment)$/;
  const tagged = custom().filter(({ type }) => !without.test(type.split(':').at(-1) ?? ''));
  expect(tagged.length).toBeGreaterThan(50);
  const untagged = tagged.filter(({ inputs: { tags } }) => {
    const values = Array.isArray(tags)
      ? Object.fromEntries((tags as { key: string; value: string }[]).map(({ key, value }) => [key, value]))
      : (tags as Record<string, string> | undefined);
    return values?.[tagKeys.cluster] !== 'shop' || values[tagKeys.part] === undefined;
  });
  expect(untagged.map(({ urn }) => urn)).toEqual([]);
});

test('makes each resource a child of its component, with the provider of the cluster', () => {
  const parts = new Map(update.resources.filter((one) => !one.custom).map((one) => [one.urn, one.type]));
  expect([...parts.values()]).toEqual([
    'pinion:cluster:Cluster',
    'pinion:cluster:EncryptionKey',
    'pinion:cluster:Buckets',
    'pinion:cluster:Network',
    'pinion:cluster:NetworkSecurity',
    'pinion:cluster:ApiLoadBalancer',
    'pinion:cluster:Identity',
    'pinion:cluster:ControlPlane',
    'pinion:cluster:NodeGroups',
  ]);
  expect(custom().filter(({ parent }) => !parts.has(parent))).toEqual([]);
  const provider = update.resources.find(({ type }) => type === 'pulumi:providers:aws');
  expect(JSON.parse(String(provider?.inputs['allowedAccountIds']))).toEqual(['123456789012']);
  expect(custom().filter((one) => !one.provider.startsWith(provider?.urn ?? '-'))).toEqual([]);
});

test('starts a control plane node after its volumes, its address, its role and the API name exist', () => {
  for (const member of ['a', 'b', 'c']) {
    const waits = dependenciesOf(named('Group', `control-plane-${member}`));
    const required = [
      named('Volume', `etcd-main-${member}`),
      named('Volume', `etcd-events-${member}`),
      named('NetworkInterface', `control-plane-${member}`),
      named('RolePolicy', 'control-plane'),
      named('InstanceProfile', 'control-plane'),
      named('Record', 'api-record'),
      named('TargetGroupAttachment', `api-${member}`),
      named('Route', `private-${member}`),
      named('BucketPolicy', 'snapshots'),
      ...byType('SecurityGroupIngressRule'),
      ...byType('SecurityGroupEgressRule'),
    ];
    expect(required.filter(({ urn }) => !waits.has(urn)).map(({ urn }) => urn)).toEqual([]);
  }
});

test('enables access logs after the policy of their bucket allows AWS to write them', () => {
  const logs = byType('BucketLogging');
  expect(logs.map(({ name }) => name).sort()).toEqual(['issuer', 'snapshots']);
  for (const log of logs) expect(dependenciesOf(log)).toContain(named('BucketPolicy', 'logs').urn);
  const { Statement } = JSON.parse(String(named('BucketPolicy', 'logs').inputs['policy'])) as {
    Statement: { Sid: string; Resource: string; Condition: object }[];
  };
  for (const { inputs } of logs)
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${String(inputs['targetBucket'])}/${String(inputs['targetPrefix'])}*`,
        Condition: {
          StringEquals: { 'aws:SourceAccount': '123456789012' },
          ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${String(inputs['bucket'])}` },
        },
      }),
    );
});

test('starts workers after the control plane nodes, and creates each termination hook after the policy of its role', () => {
  const controlPlaneNodes = byType('Group').filter(({ name }) => name.startsWith('control-plane-'));
  const workers = byType('Group').filter(({ name }) => name.startsWith('node-'));
  expect([controlPlaneNodes.length, workers.length]).toEqual([3, 2]);
  for (const worker of workers) for (const { urn } of controlPlaneNodes) expect(dependenciesOf(worker)).toContain(urn);
  for (const hook of byType('LifecycleHook'))
    expect(dependenciesOf(hook)).toContain(named('RolePolicy', 'drain-notifier').urn);
  expect(workers.map(({ ignoreChanges }) => ignoreChanges)).toEqual([['desiredCapacity'], ['desiredCapacity']]);
});

test('starts machines with their own user data and the latest version of their template', () => {
  const templates = byType('LaunchTemplate');
  const texts = templates.map(({ inputs }) => String(inputs['userData']));
  expect(new Set(texts).size).toBe(templates.length);
  for (const text of texts) expect(Buffer.from(text, 'base64').subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  expect(named('Group', 'control-plane-a').inputs['launchTemplate']).toEqual({
    id: 'id-control-plane-a',
    version: '7',
  });
  expect(named('Group', 'node-batch').inputs).toMatchObject({
    mixedInstancesPolicy: {
      launchTemplate: { launchTemplateSpecification: { launchTemplateId: 'id-node-batch', version: '7' } },
    },
  });
  const volumes = templates.map(({ inputs }) => inputs['blockDeviceMappings']);
  for (const volume of volumes) expect(volume).toMatchObject([{ ebs: { encrypted: 'true' } }]);
});

test('policies reference created resources, without wildcard principals, actions or resources', () => {
  const policies = byType('RolePolicy').map(({ name, inputs }) => ({ name, text: String(inputs['policy']) }));
  for (const { text } of policies) expect(text).not.toMatch(/<\w+>/);
  expect(policies.find(({ name }) => name === 'external-dns')?.text).toContain('hostedzone/Z0123456789ABCDEFGHIJ');
  expect(policies.find(({ name }) => name === 'control-plane')?.text).toContain(
    'key/1234abcd-12ab-34cd-56ef-1234567890ab',
  );
  interface Statement {
    readonly Sid: string;
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
  }
  const statements = policies.flatMap(({ text }) => (JSON.parse(text) as { Statement: Statement[] }).Statement);
  expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  const changing = /:(?!(Describe|List|Get)\w*$)/;
  const everywhere = statements.filter(({ Resource }) => Resource.includes('*'));
  const changed = everywhere.flatMap(({ Sid, Action }) =>
    Action.filter((one) => changing.test(one)).map((one) => `${Sid} ${one}`),
  );
  expect(changed.filter((one) => !one.startsWith('OpenSessions '))).toEqual([]);
});

test('passes created resources to the platform', () => {
  expect(update.outputs['platformInputs']).toMatchObject({
    cluster: 'shop',
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', domain: 'shop.example.com' },
    roles: { 'ebs-csi-driver': 'arn:aws:iam::123456789012:role/shop-ebs-csi-driver' },
    nodeGroups: [
      { pool: 'general', group: 'shop-node-general' },
      { pool: 'batch', group: 'shop-node-batch', taints: [{ key: 'pinion/spot' }] },
    ],
  });
});

test('a preview, in which AWS outputs are unknown, registers the same resources', async () => {
  const preview = await recordRun({ stack: 'cluster-shop', config: { cluster: mixed }, preview: true });
  expect(preview.resources.map(({ urn }) => urn).sort()).toEqual(update.resources.map(({ urn }) => urn).sort());
  expect(preview.outputs['platformInputs']).toBeUndefined();
  const names = preview.resources.flatMap(
    ({ inputs }) => JSON.stringify(inputs).match(/<(zoneId|keyId)>|undefined/g) ?? [],
  );
  expect(names).toEqual([]);
});

test('reports all problems at once without a stack trace, and creates nothing', async () => {
  const wrong = { ...plainCluster, zones: ['us-east-1a', 'us-east-1b'], load: { nodes: -1, pods: 10 } };
  const run = recordRun({ stack: 'cluster-shop', config: { cluster: wrong } });
  await expect(run).rejects.toMatchObject({
    message: expect.stringMatching(/zones[\s\S]*load\.nodes/) as unknown,
    stack: '',
  });
});

test('rejects a bucket name of another account before creating anything, and suggests the next free one', async () => {
  const taken = ['shop-123456789012-us-east-1-logs', 'shop-123456789012-us-east-1-logs-2'];
  const run = recordRun({ stack: 'cluster-shop', config: { cluster: mixed }, taken });
  await expect(run).rejects.toThrow(
    /buckets\.logs: "shop-\d+-us-east-1-logs" is already used by another account; use "shop-\d+-us-east-1-logs-3"$/,
  );
});

test('rejects the name of a stack that is neither a cluster nor a platform', async () => {
  await expect(recordRun({ stack: 'production', config: {} })).rejects.toThrow(
    'name the stack "cluster" or "platform"',
  );
});
