import { AwsInstances } from '../../lib/cloud';
import { type Instance } from '../../lib/operations';
import { imageOwner, type Moto, motoMissing, openMoto } from './moto';

jest.setTimeout(60_000);

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`instances in EC2: ${motoMissing}`, () => undefined);

withMoto('instances in EC2', () => {
  let moto: Moto;
  let instances: AwsInstances;
  beforeAll(async () => {
    moto = await openMoto();
    instances = new AwsInstances('prod', moto.options);
  }, 90_000);
  afterAll(async () => {
    instances.close();
    await moto.stop();
  });

  /** Starts an instance of a cluster; returns its id and private name. */
  async function startInstance(cluster: string): Promise<{ id: string; name: string }> {
    const { Images = [] } = await moto.ec2.describeImages({ Owners: [imageOwner] });
    const tags = { 'pinion/cluster': cluster, 'pinion/part': 'nodes' };
    const { Instances = [] } = await moto.ec2.runInstances({
      ImageId: Images[0]?.ImageId ?? '',
      MinCount: 1,
      MaxCount: 1,
      TagSpecifications: [
        { ResourceType: 'instance', Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
      ],
    });
    return { id: Instances[0]?.InstanceId ?? '', name: Instances[0]?.PrivateDnsName ?? '' };
  }

  test('finds a running instance by its private name, with the addresses of all its interfaces', async () => {
    const { id, name } = await startInstance('prod');
    const { Subnets = [] } = await moto.ec2.describeSubnets({});
    const { NetworkInterface } = await moto.ec2.createNetworkInterface({ SubnetId: Subnets[0]?.SubnetId ?? '' });
    await moto.ec2.attachNetworkInterface({
      InstanceId: id,
      DeviceIndex: 1,
      NetworkInterfaceId: NetworkInterface?.NetworkInterfaceId ?? '',
    });
    const [found, ...others] = await instances.findByName(name);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id, name, state: 'running', part: 'nodes' } satisfies Partial<Instance>);
    expect(found?.addresses).toContain(NetworkInterface?.PrivateIpAddress);
    expect(found?.addresses).toHaveLength(2);
    expect(found?.launchedAt).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test('does not find instances of another cluster or name, or terminated ones', async () => {
    const [other, terminated] = [await startInstance('elsewhere'), await startInstance('prod')];
    await moto.ec2.terminateInstances({ InstanceIds: [terminated.id] });
    for (const name of [other.name, terminated.name, 'ip-10-9-9-9.ec2.internal', '*'])
      expect([name, await instances.findByName(name)]).toEqual([name, []]);
  });

  test('rejects if AWS does not respond', async () => {
    const unreachable = new AwsInstances('prod', { ...moto.options, endpoint: 'http://127.0.0.1:1' });
    await expect(unreachable.findByName('a')).rejects.toThrow();
    unreachable.close();
  });
});
