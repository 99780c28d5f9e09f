import { tagKeys } from '@pinion-platform/pinion/api';
import { letterOf, controlPlaneAddress, vpcOf } from '../network/addresses';
import { type ClusterCapacity, type EtcdVolumeSize } from './cluster-capacity';
import { formatCidr } from '../network/cidr';
import { type ClusterConfig } from '../config/cluster-config';
import { launchTemplatePlan, type LaunchTemplatePlan } from './launch-template';
import { controlPlaneGroupName } from '../names';
import { type PlannedResource } from '../planned-resource';
import { type EtcdName } from '../network/ports';
import { type GroupName } from '../network/security-groups';
import { zoneBlocks } from '../network/subnet-layout';
import { kubernetesTag, tagsOf, type Tags } from '../tags';

/** Network interface with the fixed address of a control plane node; outlives machines. */
export interface InterfacePlan extends PlannedResource<{
  readonly description: string;
  readonly privateIps: string[];
  readonly tags: Tags;
}> {
  readonly subnet: string;
  readonly securityGroup: GroupName;
}

/** Encrypted volume of an etcd member; outlives machines. */
export interface EtcdVolumePlan extends PlannedResource<{
  readonly availabilityZone: string;
  readonly size: number;
  readonly type: 'gp3' | 'io2';
  readonly iops: number;
  /** MB/s; for io2 it follows from iops. */
  readonly throughput?: number;
  readonly encrypted: true;
  readonly finalSnapshot: true;
  readonly tags: Tags;
}> {
  readonly etcd: EtcdName;
}

/** Auto Scaling group of one control plane node; it replaces a lost machine. */
export interface ControlPlaneGroupPlan extends PlannedResource<{
  readonly name: string;
  readonly minSize: 1;
  readonly maxSize: 1;
  readonly desiredCapacity: 1;
  /** Not the load balancer's check: overloaded nodes fail it together, and terminating them would make it worse. */
  readonly healthCheckType: 'EC2';
  readonly healthCheckGracePeriod: number;
  readonly defaultInstanceWarmup: number;
  /** Terminate before launch: volumes and address attach to one machine only. */
  readonly instanceMaintenancePolicy: { readonly minHealthyPercentage: 0; readonly maxHealthyPercentage: 100 };
  /** No timeout: a node that waits for quorum is not a failed update. */
  readonly waitForCapacityTimeout: '0';
  readonly enabledMetrics: 'GroupInServiceInstances'[];
}> {
  readonly subnet: string;
  readonly launchTemplate: string;
  readonly tags: readonly GroupTag[];
}

/** Tag of an Auto Scaling group, optionally propagated to its machines. */
export interface GroupTag {
  readonly key: string;
  readonly value: string;
  readonly propagateAtLaunch: boolean;
}

/** Control plane node: persistent resources, and the group of its machine. */
export interface ControlPlaneMachinePlan {
  /** Letter of the zone, also the etcd member name. */
  readonly member: string;
  readonly zone: string;
  readonly address: string;
  /** CIDR block of its subnet. */
  readonly subnetBlock: string;
  readonly networkInterface: InterfacePlan;
  /** Tags that identify its interface. */
  readonly interfaceTags: Tags;
  readonly volumes: readonly EtcdVolumePlan[];
  /** Tags that identify its volume, by database. */
  readonly volumeTags: Readonly<Partial<Record<EtcdName, Tags>>>;
  readonly launchTemplate: LaunchTemplatePlan;
  readonly group: ControlPlaneGroupPlan;
}

/** Names, addresses and tags of a control plane node, from which its user data is generated. */
export type ControlPlaneIdentity = Pick<
  ControlPlaneMachinePlan,
  'member' | 'zone' | 'address' | 'subnetBlock' | 'interfaceTags' | 'volumeTags'
>;

/** Returns the identities of all control plane nodes, which are in the first zones. */
export const controlPlaneIdentities = (config: ClusterConfig, capacity: ClusterCapacity): ControlPlaneIdentity[] =>
  config.zones.slice(0, capacity.controlPlaneNodes).map((zone, index): ControlPlaneIdentity => {
    const member = letterOf(zone);
    const memberTags = { [tagKeys.cluster]: config.name, [tagKeys.member]: member };
    return {
      member,
      zone,
      address: controlPlaneAddress(config, index),
      subnetBlock: formatCidr(zoneBlocks(vpcOf(config), index)['control-plane']),
      interfaceTags: { ...memberTags, [tagKeys.interface]: 'persistent' },
      volumeTags: Object.fromEntries(capacity.etcd.map(({ etcd }) => [etcd, { ...memberTags, [tagKeys.etcd]: etcd }])),
    };
  });

/** Plans all control plane nodes; `userData` is in base64, by member. */
export const controlPlanePlans = (
  config: ClusterConfig,
  capacity: ClusterCapacity,
  userData: Readonly<Record<string, string>>,
): ControlPlaneMachinePlan[] =>
  controlPlaneIdentities(config, capacity).map((identity) => {
    const { member } = identity;
    return {
      ...identity,
      networkInterface: interfacePlan(config, identity),
      volumes: capacity.etcd.map((size) => volumePlan(config, identity, size)),
      launchTemplate: launchTemplatePlan(config, {
        name: `control-plane-${member}`,
        part: 'control-plane',
        role: 'control-plane',
        imageId: config.images.controlPlane,
        instanceType: capacity.controlPlaneInstanceType,
        rootGib: capacity.controlPlaneRootGib,
        userData: userData[member] ?? '',
        instanceTags: { [tagKeys.member]: member, [kubernetesTag(config.name)]: 'owned' },
      }),
      group: groupPlan(config, member),
    };
  });

const interfacePlan = (
  config: ClusterConfig,
  { member, address, interfaceTags }: ControlPlaneIdentity,
): InterfacePlan => ({
  name: `control-plane-${member}`,
  subnet: `control-plane-${member}`,
  securityGroup: 'control-plane',
  args: {
    description: `Address of control plane node ${member} of ${config.name}`,
    privateIps: [address],
    tags: tagsOf(config, 'control-plane', `control-plane-${member}`, interfaceTags),
  },
});

function volumePlan(config: ClusterConfig, identity: ControlPlaneIdentity, size: EtcdVolumeSize): EtcdVolumePlan {
  const { etcd, gib, type, iops, throughputMBps } = size;
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
      ...(type === 'gp3' && { throughput: throughputMBps }),
      encrypted: true,
      finalSnapshot: true,
      tags: tagsOf(config, 'control-plane', name, identity.volumeTags[etcd]),
    },
  };
}

function groupPlan(config: ClusterConfig, member: string): ControlPlaneGroupPlan {
  const name = `control-plane-${member}`;
  return {
    name,
    subnet: `control-plane-${member}`,
    launchTemplate: name,
    tags: Object.entries(tagsOf(config, 'control-plane', name)).map(([key, value]) => ({
      key,
      value,
      propagateAtLaunch: false,
    })),
    args: {
      name: controlPlaneGroupName(config.name, member),
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
