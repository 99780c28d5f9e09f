import { AwsInstances } from '../../lib/cloud';
import { type Instance } from '../../lib/operations';
import { type Moto, motoMissing, startMoto } from './moto';

jest.setTimeout(60_000);

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`instances in EC2: ${motoMissing}`, () => undefined);

withMoto('instances in EC2', () => {
  let moto: Moto;
  let instances: AwsInstances;
  beforeAll(async () => {
    moto = await startMoto();
    instances = new AwsInstances('prod', moto.options);
  }, 90_000);
  afterAll(async () => {
    instances.close();
    await moto.stop();
  });

  /** Starts a machine of a cluster; its id and private name. */
  async function started(cluster: string): Promise<{ id: string; name: string }> {
    const { Images = [] } = await moto.ec2.describeImages({ Owners: ['amazon'] });
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

  test('one that runs is found by its private name, with the addresses of all of its interfaces', async () => {
    const { id, name } = await started('prod');
    const { Subnets = [] } = await moto.ec2.describeSubnets({});
    const { NetworkInterface } = await moto.ec2.createNetworkInterface({ SubnetId: Subnets[0]?.SubnetId ?? '' });
    await moto.ec2.attachNetworkInterface({
      InstanceId: id,
      DeviceIndex: 1,
      NetworkInterfaceId: NetworkInterface?.NetworkInterfaceId ?? '',
    });
    const [found, ...others] = await instances.named(name);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id, name, state: 'running', part: 'nodes' } satisfies Partial<Instance>);
    expect(found?.addresses).toContain(NetworkInterface?.PrivateIpAddress);
    expect(found?.addresses).toHaveLength(2);
    expect(found?.launched).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test('one of another cluster, of another name, or that was ended is not found', async () => {
    const [other, gone] = [await started('elsewhere'), await started('prod')];
    await moto.ec2.terminateInstances({ InstanceIds: [gone.id] });
    for (const name of [other.name, gone.name, 'ip-10-9-9-9.ec2.internal', '*'])
      expect([name, await instances.named(name)]).toEqual([name, []]);
  });

  test('where AWS gives no answer, that is no answer', async () => {
    const away = new AwsInstances('prod', { ...moto.options, endpoint: 'http://127.0.0.1:1' });
    await expect(away.named('a')).rejects.toThrow();
    away.close();
  });
});
