import { tagKeys } from '@pinion-platform/pinion/api';
import { type ClusterConfig } from '../config/cluster-config';
import { exactVersion } from './exact-version';
import { roleName } from '../names';
import { type PlannedResource } from '../planned-resource';
import { type GroupName } from '../network/security-groups';
import { tagsOf, type Part, type Tags } from '../tags';

/** Launch template of machines of one kind. */
export interface LaunchTemplatePlan extends PlannedResource<{
  readonly name: string;
  readonly imageId: string;
  readonly instanceType: string;
  readonly ebsOptimized: 'true';
  /** Base64. */
  readonly userData: string;
  readonly updateDefaultVersion: true;
  readonly iamInstanceProfile: { readonly name: string };
  readonly metadataOptions: {
    readonly httpEndpoint: 'enabled';
    readonly httpTokens: 'required';
    /** Pods are one hop further away, so that they cannot assume the role of the machine. */
    readonly httpPutResponseHopLimit: 1;
    /** Disabled, since EC2 rejects tag keys with slashes if tags are in the metadata. */
    readonly instanceMetadataTags: 'disabled';
  };
  readonly monitoring: { readonly enabled: true };
  readonly tags: Tags;
}> {
  /** Encrypted root volume. */
  readonly rootVolume: {
    readonly deviceName: string;
    readonly volumeType: 'gp3';
    readonly volumeSize: number;
    readonly encrypted: 'true';
    readonly deleteOnTermination: 'true';
  };
  /** Security group of the primary interface. */
  readonly securityGroup: GroupName;
  /** Tags of the resources that EC2 creates with each machine. */
  readonly tagSpecifications: readonly {
    readonly resourceType: 'instance' | 'volume' | 'network-interface';
    readonly tags: Tags;
  }[];
}

/** Settings that differ between kinds of machines. */
export interface MachineKind {
  /** Resource name of the template: `control-plane-a`, `node-general`. */
  readonly name: string;
  readonly part: Part;
  readonly role: 'control-plane' | 'worker';
  readonly imageId: string;
  readonly instanceType: string;
  readonly rootGib: number;
  /** Base64. */
  readonly userData: string;
  /** Additional tags of machines. */
  readonly instanceTags: Tags;
}

/** Plans the launch template of machines of one kind. */
export function launchTemplatePlan(config: ClusterConfig, kind: MachineKind): LaunchTemplatePlan {
  const { name, part } = kind;
  const tags = tagsOf(config, part, name);
  return {
    name,
    args: {
      name: `${config.name}-${name}`,
      imageId: kind.imageId,
      instanceType: kind.instanceType,
      ebsOptimized: 'true',
      userData: kind.userData,
      updateDefaultVersion: true,
      iamInstanceProfile: { name: roleName(config.name, kind.role) },
      metadataOptions: {
        httpEndpoint: 'enabled',
        httpTokens: 'required',
        httpPutResponseHopLimit: 1,
        instanceMetadataTags: 'disabled',
      },
      monitoring: { enabled: true },
      tags,
    },
    rootVolume: {
      deviceName: config.rootDevice,
      volumeType: 'gp3',
      volumeSize: kind.rootGib,
      encrypted: 'true',
      deleteOnTermination: 'true',
    },
    securityGroup: kind.role,
    tagSpecifications: [
      {
        resourceType: 'instance',
        tags: tagsOf(config, part, name, { [tagKeys.kubernetes]: exactVersion(config), ...kind.instanceTags }),
      },
      { resourceType: 'volume', tags: tagsOf(config, part, `${name}-root`) },
      { resourceType: 'network-interface', tags: tagsOf(config, part, `${name}-own`) },
    ],
  };
}
