import { closeSync, openSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { type Instance as Described } from '@aws-sdk/client-ec2';
import { type PlannedCluster } from './planned-cluster';
import { type Region } from './region';

/** Size in bytes of a file that backs a volume; sparse, and smaller than planned so that formatting is fast. */
const volumeBytes = 1024 ** 3;

type Tags = Readonly<Record<string, string>>;
const tagList = (tags: Tags): { Key: string; Value: string }[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

/** An instance that EC2 has started. */
export interface Instance {
  readonly id: string;
  readonly zone: string;
  /** Address of the instance's own interface. */
  readonly address: string;
  /** DNS name within the VPC, such as `i-0123456789abcdef0.ec2.internal`. */
  readonly hostName: string;
}

/** Converts an instance. The planned subnets name machines after their instance, which moto does not support. */
const instanceFrom = ({ InstanceId = '', Placement, PrivateIpAddress = '' }: Described): Instance => ({
  id: InstanceId,
  zone: Placement?.AvailabilityZone ?? '',
  address: PrivateIpAddress,
  hostName: `${InstanceId}.ec2.internal`,
});

/** AWS resources of the control plane nodes: groups, interfaces, volumes and buckets. */
export class CloudResources {
  readonly #subnets = new Map<string, string>();

  constructor(
    private readonly region: Region,
    private readonly planned: PlannedCluster,
    /** Folder of the files that back volumes. */
    readonly folder: string,
  ) {}

  /** Creates all resources; groups have no machines before `grow`. */
  async create(): Promise<void> {
    const { ec2 } = this.region;
    const { Vpc } = await ec2.createVpc({ CidrBlock: this.planned.vpc });
    for (const { plan } of this.planned.controlPlaneNodes) {
      const { Subnet } = await ec2.createSubnet({
        VpcId: Vpc?.VpcId,
        CidrBlock: plan.subnetBlock,
        AvailabilityZone: plan.zone,
      });
      const subnet = Subnet?.SubnetId ?? '';
      this.#subnets.set(plan.member, subnet);
      await ec2.createNetworkInterface({
        SubnetId: subnet,
        PrivateIpAddress: plan.address,
        TagSpecifications: [{ ResourceType: 'network-interface', Tags: tagList(plan.networkInterface.args.tags) }],
      });
      for (const volume of plan.volumes) await this.#makeVolume(plan.member, volume.etcd);
    }
    const { Subnet } = await ec2.createSubnet({ VpcId: Vpc?.VpcId, CidrBlock: this.planned.workerSubnet });
    this.#subnets.set('worker', Subnet?.SubnetId ?? '');
    const { serviceAccounts, snapshots } = this.planned.spec;
    for (const bucket of [serviceAccounts.bucket, snapshots.bucket]) await this.#makeBucket(bucket);
    await this.#makeTemplates();
  }

  async #makeVolume(member: string, etcd: string): Promise<void> {
    const volume = this.#controlPlaneNode(member).plan.volumes.find((one) => one.etcd === etcd);
    if (!volume) throw new Error(`control plane node ${member} has no volume ${etcd}`);
    const { availabilityZone, size, tags } = volume.args;
    const { VolumeId = '' } = await this.region.ec2.createVolume({
      AvailabilityZone: availabilityZone,
      Size: size,
      TagSpecifications: [{ ResourceType: 'volume', Tags: tagList(tags) }],
    });
    const file = openSync(join(this.folder, VolumeId), 'w');
    ftruncateSync(file, volumeBytes);
    closeSync(file);
  }

  /** Deletes a detached etcd volume of a control plane node, and creates an empty one as the stack does. */
  async replaceVolume(member: string, etcd: string): Promise<void> {
    const { Volumes = [] } = await this.region.ec2.describeVolumes({
      Filters: [
        { Name: 'tag:pinion/member', Values: [member] },
        { Name: 'tag:pinion/etcd', Values: [etcd] },
      ],
    });
    for (const { VolumeId } of Volumes) await this.region.ec2.deleteVolume({ VolumeId });
    await this.#makeVolume(member, etcd);
  }

  /** Scales the group of a control plane node up to one machine. */
  async grow(member: string): Promise<Instance> {
    const { plan } = this.#controlPlaneNode(member);
    await this.region.autoScaling.createAutoScalingGroup({
      AutoScalingGroupName: plan.group.args.name,
      MinSize: plan.group.args.minSize,
      MaxSize: plan.group.args.maxSize,
      DesiredCapacity: plan.group.args.desiredCapacity,
      VPCZoneIdentifier: this.#subnets.get(member),
      LaunchTemplate: { LaunchTemplateName: plan.launchTemplate.args.name, Version: '$Default' },
    });
    return this.instanceOf(member);
  }

  /** Terminates the machine of a control plane node; its group starts a replacement. */
  async terminate(instance: string): Promise<void> {
    await this.region.autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId: instance,
      ShouldDecrementDesiredCapacity: false,
    });
  }

  /** Detaches the interface of a control plane node from a terminated machine, as EC2 does and moto does not. */
  async releaseInterface(member: string): Promise<void> {
    const { NetworkInterfaces = [] } = await this.region.ec2.describeNetworkInterfaces({
      Filters: [{ Name: 'tag:pinion/member', Values: [member] }],
    });
    for (const { Attachment } of NetworkInterfaces)
      if (Attachment) await this.region.ec2.detachNetworkInterface({ AttachmentId: Attachment.AttachmentId });
  }

  /** Returns the machine in the group of a control plane node. */
  async instanceOf(member: string): Promise<Instance> {
    const name = this.#controlPlaneNode(member).plan.group.args.name;
    const { AutoScalingGroups: [group] = [] } = await this.region.autoScaling.describeAutoScalingGroups({
      AutoScalingGroupNames: [name],
    });
    const ids = (group?.Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
    const { Reservations = [] } = await this.region.ec2.describeInstances({ InstanceIds: ids });
    const alive = Reservations.flatMap(({ Instances = [] }) => Instances).filter(
      ({ State }) => State?.Name === 'running' || State?.Name === 'pending',
    );
    const [instance] = alive;
    if (!instance || alive.length !== 1) throw new Error(`${name} has ${alive.length} machines`);
    return instanceFrom(instance);
  }

  /** Starts a worker machine without a group. */
  async runWorker(): Promise<Instance> {
    const { Instances: [instance] = [] } = await this.region.ec2.runInstances({
      ...{ MinCount: 1, MaxCount: 1, InstanceType: 'm6i.large', ImageId: await this.#image() },
      SubnetId: this.#subnets.get('worker'),
    });
    if (!instance) throw new Error('EC2 started no machine');
    return instanceFrom(instance);
  }

  /** Returns the user data in the launch template of a control plane node, as EC2 serves it. */
  async userDataOf(member: string): Promise<string> {
    const { LaunchTemplateVersions: [version] = [] } = await this.region.ec2.describeLaunchTemplateVersions({
      LaunchTemplateName: this.#controlPlaneNode(member).plan.launchTemplate.args.name,
      Versions: ['$Default'],
    });
    return version?.LaunchTemplateData?.UserData ?? '';
  }

  /** Lists what is attached to a machine: interfaces by hardware address, volumes by identifier. */
  async attachedTo(instance: string): Promise<{ readonly interfaces: string[]; readonly volumes: string[] }> {
    const Filters = [{ Name: 'tag:pinion/cluster', Values: [this.planned.spec.cluster.name] }];
    const [{ NetworkInterfaces = [] }, { Volumes = [] }] = await Promise.all([
      this.region.ec2.describeNetworkInterfaces({ Filters }),
      this.region.ec2.describeVolumes({ Filters }),
    ]);
    return {
      interfaces: NetworkInterfaces.filter(({ Attachment }) => Attachment?.InstanceId === instance).map(
        ({ MacAddress = '' }) => MacAddress,
      ),
      volumes: Volumes.filter(({ Attachments = [] }) =>
        Attachments.some(({ InstanceId }) => InstanceId === instance),
      ).map(({ VolumeId = '' }) => VolumeId),
    };
  }

  #controlPlaneNode(member: string): PlannedCluster['controlPlaneNodes'][number] {
    const found = this.planned.controlPlaneNodes.find(({ plan }) => plan.member === member);
    if (!found) throw new Error(`there is no control plane node ${member}`);
    return found;
  }

  async #makeBucket(name: string): Promise<void> {
    const { ok, status } = await fetch(`${this.region.awsUrl}/${name}`, { method: 'PUT' });
    if (!ok) throw new Error(`bucket ${name}: ${status}`);
  }

  /** Returns the ID of an image. Its contents do not matter: the machine provides everything except the user data. */
  async #image(): Promise<string> {
    const { Images: [image] = [] } = await this.region.ec2.describeImages({ Owners: ['amazon'] });
    return image?.ImageId ?? '';
  }

  async #makeTemplates(): Promise<void> {
    const ImageId = await this.#image();
    for (const { plan, userData } of this.planned.controlPlaneNodes)
      await this.region.ec2.createLaunchTemplate({
        LaunchTemplateName: plan.launchTemplate.args.name,
        LaunchTemplateData: { ImageId, InstanceType: 'm6i.large', UserData: userData },
      });
  }
}
