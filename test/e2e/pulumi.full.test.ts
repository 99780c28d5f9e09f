import { type ClusterInput, planClusterStack } from '../../stacks/plan';
import { findBinaries } from '../control-plane/binaries';
import { type Aws, awsMissing, startAws } from '../pulumi-engine/aws/aws';
import { EmulatedAws, droppedInputs } from '../pulumi-engine/aws/emulated-aws';
import { listClusterResources } from '../pulumi-engine/aws/cluster-resources';
import { automationApi, commandLineInterface, type EngineInterface } from '../pulumi-engine/engine-interface';
import { Engine } from '../pulumi-engine/engine';
import { type GrpcServer } from '../pulumi-engine/grpc-server';
import { languageHost } from '../pulumi-engine/language-host';
import { providerServer } from '../pulumi-engine/provider-server';
import { plainCluster, smallCluster } from '../stacks/plan/make-cluster';

// A run takes 5 to 15 s on an idle machine.
jest.setTimeout(180_000);

const interfaces: readonly (readonly [string, Omit<ClusterInput, 'images'>])[] = [
  ['the command line', { ...smallCluster, name: 'shop' }],
  [
    'the Automation API',
    { ...smallCluster, name: 'till', domain: 'till.example.com', network: { egress: 'endpoints' } },
  ],
];
const binaries = findBinaries(['pulumi']);
const skipReason = 'skipped' in binaries ? binaries.skipped : awsMissing;
const describeEngine = skipReason === undefined ? describe : describe.skip;
const reason = skipReason === undefined ? '' : ` (skipped: ${skipReason})`;

describeEngine(`the cluster stack, deployed by the real Pulumi engine to an emulated AWS${reason}`, () => {
  let aws: Aws;
  let provider: GrpcServer;
  let engine: Engine;
  let images: ClusterInput['images'];
  const language = languageHost();

  beforeAll(async () => {
    if (!('paths' in binaries)) return;
    aws = await startAws();
    provider = providerServer(new EmulatedAws(aws));
    engine = new Engine(binaries.paths.pulumi, await language.start(), { aws: await provider.start() });
    const [controlPlane = '', worker = ''] = (await aws.call('ec2', 'DescribeImages', { Owners: ['amazon'] }))
      .list('Images')
      .map((image) => image.text('ImageId'));
    images = { controlPlane, worker };
  });
  afterAll(async () => {
    provider.stop();
    language.stop();
    engine.remove();
    await aws.stop();
    process.stdout.write(
      `Properties that the emulation drops and the test provider keeps:\n${droppedInputs.join('\n')}\n`,
    );
  });
  /** Returns the errors of the provider, except reads of a bucket that does not exist yet. */
  const providerErrors = (): string[] => provider.errors.filter((one) => !one.startsWith('reading S3 Bucket'));
  /** Returns the AWS write operations of a run. */
  const awsWritesOf = async (run: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = aws.changes.length;
    await run();
    return aws.changes.slice(before);
  };

  describe.each(interfaces)('through %s', (interfaceName, input) => {
    const stackName = `cluster-${input.name}`;
    let description: ClusterInput;
    let run: EngineInterface;
    let created: number;
    beforeAll(async () => {
      description = { ...input, images };
      const stack = await engine.stack(stackName, { cluster: description });
      run =
        interfaceName === 'the command line' ? commandLineInterface(engine, stackName) : automationApi(engine, stack);
    });

    test('a preview lists every resource and creates nothing', async () => {
      const changed = await awsWritesOf(async () => {
        const { create = 0, ...rest } = await run('preview');
        created = create;
        expect([created > 150, rest]).toEqual([true, {}]);
      });
      expect([changed, providerErrors()]).toEqual([[], []]);
    });

    test('an update creates every resource as planned', async () => {
      expect(await run('up')).toEqual({ create: created });
      expect(providerErrors()).toEqual([]);
      const { plan } = planClusterStack(description);
      const binaries = await listClusterResources(aws, input.name);
      expect(binaries.groups.map(({ name }) => name).sort()).toEqual(
        [...plan.controlPlane, ...plan.nodeGroups].map(({ group }) => group.args.name).sort(),
      );
      for (const { name, wanted, machines } of binaries.groups) expect([name, machines]).toEqual([name, wanted]);
      expect([binaries.volumes.length, binaries.interfaces.length]).toEqual([6, 3]);
      const outputs = JSON.parse(await engine.command('stack', 'output', '--json', '--stack', stackName)) as object;
      const { cluster, hostedZone } = outputs['platformInputs' as never] as Record<string, { id: string }>;
      expect([cluster, hostedZone?.id]).toEqual([input.name, `Z${binaries.zone ?? ''}`]);
    });

    test('a repeated update changes nothing, and a refresh finds no drift', async () => {
      const changed = await awsWritesOf(async () => {
        expect(await run('up')).toEqual({ same: created });
        expect(await run('refresh')).toEqual({ same: created });
      });
      expect(changed).toEqual([]);
    });

    test('a larger control plane instance type creates new launch template versions and replaces no volume', async () => {
      const before = await listClusterResources(aws, input.name);
      const load = { ...description.load, overrides: { controlPlaneInstanceType: 'm6i.8xlarge' } };
      engine.configure(stackName, { cluster: { ...description, load } });
      const changed = await awsWritesOf(async () => {
        expect(await run('up')).toEqual({ update: 6, same: created - 6 });
      });
      expect(new Set(changed.filter((one) => /Create|Delete|Terminate/.test(one)))).toEqual(
        new Set(['ec2:CreateLaunchTemplateVersion', 'ec2:CreateTags', 'autoscaling:CreateOrUpdateTags']),
      );
      const after = await listClusterResources(aws, input.name);
      expect([after.volumes, after.interfaces]).toEqual([before.volumes, before.interfaces]);
      const controlPlaneGroups = after.groups.filter(({ name }) => name.includes('-control-plane-'));
      expect(controlPlaneGroups.map(({ version }) => version)).toEqual(['2', '2', '2']);
    });

    test('a refresh detects drift, and the next update corrects it', async () => {
      const QueueUrl = (await aws.call('sqs', 'GetQueueUrl', { QueueName: `${input.name}-drain` })).text('QueueUrl');
      await aws.call('sqs', 'DeleteQueue', { QueueUrl });
      const { vpc } = await listClusterResources(aws, input.name);
      await aws.call('ec2', 'CreateTags', { Resources: [vpc], Tags: [{ Key: 'pinion/part', Value: 'drifted' }] });
      await aws.call('ec2', 'ModifyVpcAttribute', { VpcId: vpc, EnableDnsHostnames: { Value: false } });
      // The policy of the queue was deleted with it.
      expect(await run('refresh')).toEqual({ delete: 2, update: 1, same: created - 3 });
      expect(await run('up')).toMatchObject({ create: 2, update: 1 });
      expect(await run('refresh')).toEqual({ same: created });
      const attribute = await aws.call('ec2', 'DescribeVpcAttribute', { VpcId: vpc, Attribute: 'enableDnsHostnames' });
      expect(attribute.at('EnableDnsHostnames', 'Value')).toBe(true);
    });

    test('neither the state nor the output contains a key', () => {
      for (const text of [engine.state(stackName), engine.printed()])
        expect(text).not.toMatch(/PRIVATE KEY|secret_?access|password/i);
    });

    test('a destroy stops at protected resources with data, and succeeds after they are unprotected', async () => {
      const { volumes } = await listClusterResources(aws, input.name);
      expect(await awsWritesOf(() => expect(run('destroy')).rejects.toThrow(/protected/))).toEqual([]);
      await engine.command('state', 'unprotect', '--all', '--yes', '--stack', stackName);
      expect(await run('destroy')).toEqual({ delete: created });
      const remaining = await listClusterResources(aws, input.name);
      expect(remaining).toEqual({ groups: [], volumes: [], interfaces: [], buckets: [], roles: [] });
      const snapshots = (await aws.call('ec2', 'DescribeSnapshots', { OwnerIds: [aws.account] })).list('Snapshots');
      expect(snapshots.map((one) => one.text('VolumeId'))).toEqual(expect.arrayContaining([...volumes]));
      expect(providerErrors()).toEqual([]);
    });
  });

  describe('an invalid cluster configuration is rejected before anything is created', () => {
    const stackName = 'cluster-wrong';
    const name = 'wrong';
    const logs = `${name}-123456789012-us-east-1-logs`;
    beforeAll(async () => {
      await engine.stack(stackName, {});
      // A bucket in another account: bucket names are global.
      const headers = { 'x-moto-account-id': '210987654321' };
      const response = await fetch(`${aws.moto.options.endpoint ?? ''}/${logs}`, { method: 'PUT', headers });
      expect(response.status).toBe(200);
    });

    test.each<[string, object, readonly string[]]>([
      [
        'two zones, and a service CIDR within the VPC',
        { zones: ['us-east-1a', 'us-east-1b'], network: { services: '10.0.0.0/20' } },
        ['add "us-east-1c"', 'overlaps 10.0.0.0/16 of the VPC; use "10.1.0.0/20"'],
      ],
      [
        'an even number of etcd members',
        { load: { ...plainCluster.load, overrides: { controlPlaneNodes: 4 } } },
        ['4 etcd members tolerate the loss of 1, the same as 3; use 3 or 5'],
      ],
      [
        'a load that no EC2 instance size supports',
        { load: { nodes: 15_000, pods: 450_000 } },
        ['more than any EC2 size in us-east-1 has', 'plan 5614 nodes with 168420 pods in this cluster'],
      ],
      [
        'an unsupported Kubernetes version',
        { kubernetesVersion: '1.33' },
        ['"1.33" is not supported; did you mean "1.35"? Allowed are 1.35, 1.36'],
      ],
      [
        'a bucket name that another account uses',
        {},
        [`"${logs}" is already used by another account; use "${logs}-2"`],
      ],
    ])('%s', async (_what, override, expected) => {
      engine.configure(stackName, { cluster: { ...plainCluster, images, name, ...override } });
      const changed = await awsWritesOf(async () => {
        const rejection = await engine.command('up', '--yes', '--skip-preview', '--stack', stackName).catch(String);
        for (const text of expected) expect(rejection).toContain(text);
      });
      expect(changed).toEqual([]);
    });

    test('a different account than that of the credentials', async () => {
      engine.configure(stackName, { cluster: { ...plainCluster, images, name, accountId: '210987654321' } });
      const changed = await awsWritesOf(() =>
        expect(engine.command('up', '--yes', '--skip-preview', '--stack', stackName)).rejects.toThrow(
          'AWS account ID not allowed: 123456789012',
        ),
      );
      expect(changed).toEqual([]);
    });
  });
});
