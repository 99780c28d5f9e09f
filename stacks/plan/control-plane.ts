import { tagKeys } from 'pinion/api';
import { letterOf, masterAddress, vpcOf } from './addresses';
import { type ClusterCapacity, type EtcdVolumeSize } from './capacity';
import { formatCidr } from './cidr';
import { type ClusterConfig } from './cluster-config';
import { launchTemplatePlan, type LaunchTemplatePlan } from './launch-template';
import { masterGroupName } from './names';
import { type Planned } from './planned';
import { type EtcdName } from './ports';
import { type GroupName } from './security-groups';
import { zoneBlocks } from './subnet-layout';
import { kubernetesTag, tagsOf, type Tags } from './tags';

/** The interface that carries a master's address; it outlives machines. */
export interface InterfacePlan extends Planned<{
  readonly description: string;
  readonly privateIps: string[];
  readonly tags: Tags;
}> {
  readonly subnet: string;
  readonly securityGroup: GroupName;
}

/** The volume of one member of one database; it outlives machines. The cluster's key encrypts it. */
export interface EtcdVolumePlan extends Planned<{
  readonly availabilityZone: string;
  readonly size: number;
  readonly type: 'gp3' | 'io2';
  readonly iops: number;
  /** MB/s; io2 has as much as its operations carry. */
  readonly throughput?: number;
  readonly encrypted: true;
  readonly finalSnapshot: true;
  readonly tags: Tags;
}> {
  readonly etcd: EtcdName;
}

/** The Auto Scaling group of one master: it only replaces a machine that is gone. */
export interface MasterGroupPlan extends Planned<{
  readonly name: string;
  readonly minSize: 1;
  readonly maxSize: 1;
  readonly desiredCapacity: 1;
  /** Masters that are overloaded fail the checks of a load balancer together; to end them then would make it worse. */
  readonly healthCheckType: 'EC2';
  readonly healthCheckGracePeriod: number;
  readonly defaultInstanceWarmup: number;
  /** The old one goes first: its volumes and address can be at one machine only. */
  readonly instanceMaintenancePolicy: { readonly minHealthyPercentage: 0; readonly maxHealthyPercentage: 100 };
  /** A master that waits for the others to come back is not a failed update. */
  readonly waitForCapacityTimeout: '0';
  readonly enabledMetrics: 'GroupInServiceInstances'[];
}> {
  readonly subnet: string;
  readonly launchTemplate: string;
  readonly tags: readonly GroupTag[];
}

/** A tag of a group, which machines get too where it is propagated. */
export interface GroupTag {
  readonly key: string;
  readonly value: string;
  readonly propagateAtLaunch: boolean;
}

/** One master: what stays, and what is replaced. */
export interface MasterPlan {
  /** Letter of its zone; etcd knows the member by it. */
  readonly member: string;
  readonly zone: string;
  readonly address: string;
  /** Block of the subnet that its address is in. */
  readonly subnetBlock: string;
  readonly networkInterface: InterfacePlan;
  /** Tags that only its interface has. */
  readonly interfaceTags: Tags;
  readonly volumes: readonly EtcdVolumePlan[];
  /** Tags that only the volume of one of its databases has. */
  readonly volumeTags: Readonly<Partial<Record<EtcdName, Tags>>>;
  readonly launchTemplate: LaunchTemplatePlan;
  readonly group: MasterGroupPlan;
}

/** What a master is to be found by, before its user data is written. */
export type MasterIdentity = Pick<
  MasterPlan,
  'member' | 'zone' | 'address' | 'subnetBlock' | 'interfaceTags' | 'volumeTags'
>;

/** Names, addresses and tags of all masters, which are in the first zones. Their user data is written from these. */
export const masterIdentities = (config: ClusterConfig, capacity: ClusterCapacity): MasterIdentity[] =>
  config.zones.slice(0, capacity.masters).map((zone, place): MasterIdentity => {
    const member = letterOf(zone);
    const own = { [tagKeys.cluster]: config.name, [tagKeys.member]: member };
    return {
      member,
      zone,
      address: masterAddress(config, place),
      subnetBlock: formatCidr(zoneBlocks(vpcOf(config), place).control),
      interfaceTags: { ...own, [tagKeys.interface]: 'persistent' },
      volumeTags: Object.fromEntries(capacity.etcd.map(({ etcd }) => [etcd, { ...own, [tagKeys.etcd]: etcd }])),
    };
  });

/** Plans all masters; `userData` is the text for each, by the letter of its zone. */
export const masterPlans = (
  config: ClusterConfig,
  capacity: ClusterCapacity,
  userData: Readonly<Record<string, string>>,
): MasterPlan[] =>
  masterIdentities(config, capacity).map((identity) => {
    const { member } = identity;
    return {
      ...identity,
      networkInterface: interfacePlan(config, identity),
      volumes: capacity.etcd.map((size) => volumePlan(config, identity, size)),
      launchTemplate: launchTemplatePlan(config, {
        name: `master-${member}`,
        part: 'control-plane',
        role: 'master',
        imageId: config.images.master,
        instanceType: capacity.masterInstanceType,
        rootGib: capacity.masterRootGib,
        userData: userData[member] ?? '',
        instanceTags: { [tagKeys.member]: member, [kubernetesTag(config.name)]: 'owned' },
      }),
      group: groupPlan(config, member),
    };
  });

const interfacePlan = (config: ClusterConfig, { member, address, interfaceTags }: MasterIdentity): InterfacePlan => ({
  name: `master-${member}`,
  subnet: `control-${member}`,
  securityGroup: 'master',
  args: {
    description: `Address of master ${member} of ${config.name}`,
    privateIps: [address],
    tags: tagsOf(config, 'control-plane', `master-${member}`, interfaceTags),
  },
});

function volumePlan(config: ClusterConfig, identity: MasterIdentity, size: EtcdVolumeSize): EtcdVolumePlan {
  const { etcd, gib, type, iops, throughputMbps } = size;
  const name = `etcd-${etcd}-${identity.member}`;
  return {
    name,
    etcd,
    protect: true,
    args: {
      availabilityZone: identity.zone,
      size: gib,
      type,
      iops,
      ...(type === 'gp3' && { throughput: throughputMbps }),
      encrypted: true,
      finalSnapshot: true,
      tags: tagsOf(config, 'control-plane', name, identity.volumeTags[etcd]),
    },
  };
}

function groupPlan(config: ClusterConfig, member: string): MasterGroupPlan {
  const name = `master-${member}`;
  return {
    name,
    subnet: `control-${member}`,
    launchTemplate: name,
    tags: Object.entries(tagsOf(config, 'control-plane', name)).map(([key, value]) => ({
      key,
      value,
      propagateAtLaunch: false,
    })),
    args: {
      name: masterGroupName(config.name, member),
      minSize: 1,
      maxSize: 1,
      desiredCapacity: 1,
      healthCheckType: 'EC2',
      healthCheckGracePeriod: 300,
      defaultInstanceWarmup: 0,
      instanceMaintenancePolicy: { minHealthyPercentage: 0, maxHealthyPercentage: 100 },
      waitForCapacityTimeout: '0',
      enabledMetrics: ['GroupInServiceInstances'],
    },
  };
}
