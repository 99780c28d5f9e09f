import { tagKeys } from 'pinion/api';
import { type ClusterConfig } from './cluster-config';
import { exactVersion } from './exact-version';
import { roleName } from './names';
import { type Planned } from './planned';
import { type GroupName } from './security-groups';
import { tagsOf, type Part, type Tags } from './tags';

/** What machines of one kind are started with. */
export interface LaunchTemplatePlan extends Planned<{
  readonly name: string;
  readonly imageId: string;
  readonly instanceType: string;
  readonly ebsOptimized: 'true';
  /** Base64, as EC2 takes it. */
  readonly userData: string;
  readonly updateDefaultVersion: true;
  readonly iamInstanceProfile: { readonly name: string };
  readonly metadataOptions: {
    readonly httpEndpoint: 'enabled';
    readonly httpTokens: 'required';
    /** Pods are a hop further than the machine, so that none can take its role. */
    readonly httpPutResponseHopLimit: 1;
    /** Keys of Kubernetes have slashes, which EC2 refuses where metadata has tags. */
    readonly instanceMetadataTags: 'disabled';
  };
  readonly monitoring: { readonly enabled: true };
  readonly tags: Tags;
}> {
  /** The root volume, which the cluster's key encrypts. */
  readonly rootVolume: {
    readonly deviceName: string;
    readonly volumeType: 'gp3';
    readonly volumeSize: number;
    readonly encrypted: 'true';
    readonly deleteOnTermination: 'true';
  };
  /** Group of the machine's own interface, which has no public address. */
  readonly securityGroup: GroupName;
  /** Tags of what EC2 makes with each machine. */
  readonly tagSpecifications: readonly {
    readonly resourceType: 'instance' | 'volume' | 'network-interface';
    readonly tags: Tags;
  }[];
}

/** Machines of one kind, as far as kinds differ. */
export interface MachineKind {
  /** Name of the template within the stack: `master-a`, `node-general`. */
  readonly name: string;
  readonly part: Part;
  readonly role: 'master' | 'worker';
  readonly imageId: string;
  readonly instanceType: string;
  readonly rootGib: number;
  /** Base64. */
  readonly userData: string;
  /** Tags that machines have beside the cluster's. */
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
