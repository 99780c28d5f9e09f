import { imageOwner, type Moto } from './moto';

/** Groups to create: control plane nodes by member, and pools by name with their size. */
export interface EmulatedShape {
  readonly name: string;
  readonly controlPlaneNodes?: readonly string[];
  readonly pools?: Readonly<Record<string, { readonly size: number; readonly max: number }>>;
}

// Without user data: moto 5.2 cannot start a machine from a second version that has some.
const templateData = (image: string, kubernetes: string, cluster: string) => ({
  ImageId: image,
  InstanceType: 'm6i.large' as const,
  TagSpecifications: [
    {
      ResourceType: 'instance' as const,
      Tags: [
        { Key: 'pinion/cluster', Value: cluster },
        { Key: 'pinion/kubernetes', Value: kubernetes },
      ],
    },
  ],
});

/** Groups, interfaces and volumes of a cluster in an emulated AWS, with the tags of the cluster stack. */
export class EmulatedCluster {
  private readonly templates = new Map<string, string>();
  private images: readonly string[] = [];

  constructor(
    private readonly moto: Moto,
    private readonly shape: EmulatedShape,
  ) {}

  /** Creates all resources, with the first version of each template. */
  async create(kubernetes: string): Promise<void> {
    const { ec2 } = this.moto;
    const { Images = [] } = await ec2.describeImages({ Owners: [imageOwner] });
    this.images = Images.map(({ ImageId }) => ImageId ?? '');
    const { Subnets = [] } = await ec2.describeSubnets({});
    const subnets = Subnets.slice(0, 3).map(({ SubnetId }) => SubnetId ?? '');
    const { name, controlPlaneNodes = [], pools = {} } = this.shape;
    for (const member of controlPlaneNodes) {
      await this.createGroup(`${name}-control-plane-${member}`, 1, 1, subnets[0] ?? '', kubernetes, {
        'pinion/part': 'control-plane',
      });
      await this.createPersistentResources(member, subnets[0] ?? '');
    }
    for (const [pool, { size, max }] of Object.entries(pools)) {
      const tags = { 'pinion/part': 'nodes', 'pinion/pool': pool };
      await this.createGroup(`${name}-node-${pool}`, size, max, subnets.join(','), kubernetes, tags);
    }
  }

  /** Creates the persistent resources of a control plane node. */
  private async createPersistentResources(member: string, subnet: string): Promise<void> {
    const tags = [
      { Key: 'pinion/cluster', Value: this.shape.name },
      { Key: 'pinion/member', Value: member },
    ];
    await this.moto.ec2.createNetworkInterface({
      SubnetId: subnet,
      TagSpecifications: [
        { ResourceType: 'network-interface', Tags: [...tags, { Key: 'pinion/interface', Value: 'persistent' }] },
      ],
    });
    for (const etcd of ['main', 'events'])
      await this.moto.ec2.createVolume({
        AvailabilityZone: 'us-east-1a',
        Size: 20,
        TagSpecifications: [{ ResourceType: 'volume', Tags: [...tags, { Key: 'pinion/etcd', Value: etcd }] }],
      });
  }

  private async createGroup(
    name: string,
    size: number,
    max: number,
    subnets: string,
    kubernetes: string,
    tags: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { ec2, autoScaling } = this.moto;
    const { LaunchTemplate } = await ec2.createLaunchTemplate({
      LaunchTemplateName: name,
      LaunchTemplateData: templateData(this.images[0] ?? '', kubernetes, this.shape.name),
    });
    const id = LaunchTemplate?.LaunchTemplateId ?? '';
    this.templates.set(name, id);
    await autoScaling.createAutoScalingGroup({
      AutoScalingGroupName: name,
      MinSize: 0,
      MaxSize: max,
      DesiredCapacity: size,
      VPCZoneIdentifier: subnets,
      LaunchTemplate: { LaunchTemplateId: id, Version: '$Default' },
      Tags: Object.entries({ ...tags, 'pinion/cluster': this.shape.name }).map(([Key, Value]) => ({
        Key,
        Value,
        PropagateAtLaunch: false,
        ResourceId: name,
        ResourceType: 'auto-scaling-group',
      })),
    });
  }

  /** Updates the template of groups with this name suffix to another image, as a stack update does. */
  async change(kubernetes: string, suffix = ''): Promise<void> {
    for (const [name, id] of this.templates) {
      if (!name.endsWith(suffix)) continue;
      const { LaunchTemplateVersion } = await this.moto.ec2.createLaunchTemplateVersion({
        LaunchTemplateId: id,
        LaunchTemplateData: templateData(this.images[1] ?? '', kubernetes, this.shape.name),
      });
      const DefaultVersion = String(LaunchTemplateVersion?.VersionNumber);
      await this.moto.ec2.modifyLaunchTemplate({ LaunchTemplateId: id, DefaultVersion });
    }
  }
}
