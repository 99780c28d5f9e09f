import { type ClusterInput, planClusterStack } from '../../stacks/plan';
import { findBinaries } from '../control-plane/binaries';
import { type Aws, awsMissing, startAws } from '../pulumi-engine/aws/aws';
import { EmulatedAws, forgotten } from '../pulumi-engine/aws/emulated-aws';
import { present } from '../pulumi-engine/aws/present';
import { automationDoor, commandDoor, type Door } from '../pulumi-engine/gateway';
import { Engine } from '../pulumi-engine/engine';
import { type GrpcServer } from '../pulumi-engine/grpc-server';
import { languageHost } from '../pulumi-engine/language-host';
import { providerServer } from '../pulumi-engine/provider-server';
import { plainCluster, smallCluster } from '../stacks/plan/make-cluster';

// A run is over in 5 to 15 s on a machine that does nothing else.
jest.setTimeout(180_000);

const found = findBinaries(['pulumi']);
const missing = 'skipped' in found ? found.skipped : awsMissing;
const describeEngine = missing === undefined ? describe : describe.skip;
const reason = missing === undefined ? '' : ` (skipped: ${missing})`;

describeEngine(`the stack cluster, by the real engine on an emulated AWS${reason}`, () => {
  let aws: Aws;
  let provider: GrpcServer;
  let engine: Engine;
  let images: ClusterInput['images'];
  const language = languageHost();

  beforeAll(async () => {
    if (!('paths' in found)) return;
    aws = await startAws();
    provider = providerServer(new EmulatedAws(aws));
    engine = new Engine(found.paths.pulumi, await language.start(), { aws: await provider.start() });
    const [master = '', worker = ''] = (await aws.call('ec2', 'DescribeImages', { Owners: ['amazon'] }))
      .list('Images')
      .map((image) => image.text('ImageId'));
    images = { controlPlane: master, worker };
  });
  afterAll(async () => {
    provider.stop();
    language.stop();
    engine.remove();
    await aws.stop();
    process.stdout.write(`What the emulation forgets, and the provider here remembers:\n${forgotten.join('\n')}\n`);
  });
  /** What the provider refused; that there is no such bucket yet is an answer. */
  const refused = (): string[] => provider.refusals.filter((one) => !one.startsWith('reading S3 Bucket'));
  /** Operations that changed something while a run went on. */
  const changedBy = async (run: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = aws.changes.length;
    await run();
    return aws.changes.slice(before);
  };

  describe.each([
    ['the command line', { ...smallCluster, name: 'shop' }],
    [
      'the Automation API',
      { ...smallCluster, name: 'till', domain: 'till.example.com', network: { egress: 'endpoints' } } as const,
    ],
  ])('by %s', (way, input) => {
    const stackName = `cluster-${input.name}`;
    let description: ClusterInput;
    let run: Door;
    let made: number;
    beforeAll(async () => {
      description = { ...input, images };
      const stack = await engine.stack(stackName, { cluster: description });
      run = way === 'the command line' ? commandDoor(engine, stackName) : automationDoor(engine, stack);
    });

    test('a preview says all that will be made, and makes nothing', async () => {
      const changed = await changedBy(async () => {
        const { create = 0, ...rest } = await run('preview');
        made = create;
        expect([made > 150, rest]).toEqual([true, {}]);
      });
      expect([changed, refused()]).toEqual([[], []]);
    });

    test('an update makes it, and AWS has all of it as it was asked for', async () => {
      expect(await run('up')).toEqual({ create: made });
      expect(refused()).toEqual([]);
      const { plan } = planClusterStack(description);
      const there = await present(aws, input.name);
      expect(there.groups.map(({ name }) => name).sort()).toEqual(
        [...plan.controlPlane, ...plan.nodeGroups].map(({ group }) => group.args.name).sort(),
      );
      for (const { name, wanted, machines } of there.groups) expect([name, machines]).toEqual([name, wanted]);
      expect([there.volumes.length, there.interfaces.length]).toEqual([6, 3]);
      const outputs = JSON.parse(await engine.command('stack', 'output', '--json', '--stack', stackName)) as object;
      const { cluster, hostedZone } = outputs['platformInputs' as never] as Record<string, { id: string }>;
      expect([cluster, hostedZone?.id]).toEqual([input.name, `Z${there.zone ?? ''}`]);
    });

    test('the same again changes nothing, and a refresh finds everything as it was left', async () => {
      const changed = await changedBy(async () => {
        expect(await run('up')).toEqual({ same: made });
        expect(await run('refresh')).toEqual({ same: made });
      });
      expect(changed).toEqual([]);
    });

    test('a larger type of master is a new version of each template, and replaces nothing that holds data', async () => {
      const before = await present(aws, input.name);
      const load = { ...description.load, overrides: { controlPlaneInstanceType: 'm6i.8xlarge' } };
      engine.configure(stackName, { cluster: { ...description, load } });
      const changed = await changedBy(async () => {
        expect(await run('up')).toEqual({ update: 6, same: made - 6 });
      });
      expect(new Set(changed.filter((one) => /Create|Delete|Terminate/.test(one)))).toEqual(
        new Set(['ec2:CreateLaunchTemplateVersion', 'ec2:CreateTags', 'autoscaling:CreateOrUpdateTags']),
      );
      const after = await present(aws, input.name);
      expect([after.volumes, after.interfaces]).toEqual([before.volumes, before.interfaces]);
      const masters = after.groups.filter(({ name }) => name.includes('-control-plane-'));
      expect(masters.map(({ version }) => version)).toEqual(['2', '2', '2']);
    });

    test('a refresh finds what was changed behind its back, and the next update puts it right', async () => {
      const QueueUrl = (await aws.call('sqs', 'GetQueueUrl', { QueueName: `${input.name}-drain` })).text('QueueUrl');
      await aws.call('sqs', 'DeleteQueue', { QueueUrl });
      const { vpc } = await present(aws, input.name);
      await aws.call('ec2', 'CreateTags', { Resources: [vpc], Tags: [{ Key: 'pinion/part', Value: 'nobody' }] });
      await aws.call('ec2', 'ModifyVpcAttribute', { VpcId: vpc, EnableDnsHostnames: { Value: false } });
      // The policy of the queue is gone with it.
      expect(await run('refresh')).toEqual({ delete: 2, update: 1, same: made - 3 });
      expect(await run('up')).toMatchObject({ create: 2, update: 1 });
      expect(await run('refresh')).toEqual({ same: made });
      const said = await aws.call('ec2', 'DescribeVpcAttribute', { VpcId: vpc, Attribute: 'enableDnsHostnames' });
      expect(said.at('EnableDnsHostnames', 'Value')).toBe(true);
    });

    test('neither the state nor what was printed holds a key', () => {
      for (const text of [engine.state(stackName), engine.printed()])
        expect(text).not.toMatch(/PRIVATE KEY|secret_?access|password/i);
    });

    test('destroying stops at what holds data, and goes through once that is given up by name', async () => {
      const { volumes } = await present(aws, input.name);
      expect(await changedBy(() => expect(run('destroy')).rejects.toThrow(/protected/))).toEqual([]);
      await engine.command('state', 'unprotect', '--all', '--yes', '--stack', stackName);
      expect(await run('destroy')).toEqual({ delete: made });
      const left = await present(aws, input.name);
      expect(left).toEqual({ groups: [], volumes: [], interfaces: [], buckets: [], roles: [] });
      const snapshots = (await aws.call('ec2', 'DescribeSnapshots', { OwnerIds: [aws.account] })).list('Snapshots');
      expect(snapshots.map((one) => one.text('VolumeId'))).toEqual(expect.arrayContaining([...volumes]));
      expect(refused()).toEqual([]);
    });
  });

  describe('a description that cannot be is refused before anything is made', () => {
    const stackName = 'cluster-wrong';
    const name = 'wrong';
    const logs = `${name}-123456789012-us-east-1-logs`;
    beforeAll(async () => {
      await engine.stack(stackName, {});
      // A bucket of somebody else's: all accounts share the names.
      const headers = { 'x-moto-account-id': '210987654321' };
      const answer = await fetch(`${aws.moto.options.endpoint ?? ''}/${logs}`, { method: 'PUT', headers });
      expect(answer.status).toBe(200);
    });

    test.each<[string, object, readonly string[]]>([
      [
        'two zones, and addresses of services within the VPC',
        { zones: ['us-east-1a', 'us-east-1b'], network: { services: '10.0.0.0/20' } },
        ['add "us-east-1c"', 'overlaps 10.0.0.0/16 of the VPC; use "10.1.0.0/20"'],
      ],
      [
        'an even number of members of etcd',
        { load: { ...plainCluster.load, overrides: { controlPlaneNodes: 4 } } },
        ['4 etcd members tolerate the loss of 1, no more than 3 do; use 3 or 5'],
      ],
      [
        'a load that no EC2 size carries',
        { load: { nodes: 15_000, pods: 450_000 } },
        ['more than any EC2 size in us-east-1 has', 'plan 5614 nodes with 168420 pods in this cluster'],
      ],
      ['a version that is not offered', { kubernetesVersion: '1.33' }, ['"1.33" is not supported; use 1.35 or 1.36']],
      ['a bucket that another account has', {}, [`"${logs}" is the bucket name of another account; use "${logs}-2"`]],
    ])('%s', async (_what, own, told) => {
      engine.configure(stackName, { cluster: { ...plainCluster, images, name, ...own } });
      const changed = await changedBy(async () => {
        const refusal = await engine.command('up', '--yes', '--skip-preview', '--stack', stackName).catch(String);
        for (const text of told) expect(refusal).toContain(text);
      });
      expect(changed).toEqual([]);
    });

    test('another account than the one that is logged in to', async () => {
      engine.configure(stackName, { cluster: { ...plainCluster, images, name, accountId: '210987654321' } });
      const changed = await changedBy(() =>
        expect(engine.command('up', '--yes', '--skip-preview', '--stack', stackName)).rejects.toThrow(
          'AWS account ID not allowed: 123456789012',
        ),
      );
      expect(changed).toEqual([]);
    });
  });
});
