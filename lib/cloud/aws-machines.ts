import { type AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { type Instance, type LaunchTemplate } from '@aws-sdk/client-ec2';
import { tagKeys } from '../api';
import {
  type MachineGroup,
  type Machines,
  type ControlPlaneNode,
  type TemplateContent,
  type TemplateVersion,
} from '../operations';
import { awsClients, type AwsClients, type AwsOptions } from './aws-clients';
import { machineGroup, launchTemplateOf } from './machine-groups';
import { type AwsTag, tagOf } from './aws-tag';
import { templateContent } from './template-content';

/** Machines of a cluster in Auto Scaling groups. The state of a roll is stored in tags of groups and instances. */
export class AwsMachines implements Machines {
  private readonly clients: AwsClients;

  constructor(
    private readonly cluster: string,
    options: AwsOptions,
  ) {
    this.clients = awsClients(options);
  }

  async groups(): Promise<readonly MachineGroup[]> {
    const [groups, instances] = await Promise.all([this.scalingGroups(), this.instances()]);
    const templates = await this.templates(groups.flatMap((group) => launchTemplateOf(group).LaunchTemplateId ?? []));
    return groups.flatMap((group) => {
      const { LaunchTemplateId: id, Version } = launchTemplateOf(group);
      if (id === undefined) return [];
      const template = { id, version: numberOf(Version, templates.get(id)) };
      return machineGroup({ cluster: this.cluster, group, instances, template }) ?? [];
    });
  }

  async controlPlaneNodes(): Promise<readonly ControlPlaneNode[]> {
    const [interfaces, volumes] = await Promise.all([this.persistentInterfaces(), this.databaseVolumes()]);
    return interfaces.flatMap(({ tags, address }) => {
      const member = tagOf(tags, tagKeys.member);
      const own = volumes.filter((volume) => tagOf(volume, tagKeys.member) === member);
      const databases = own.flatMap((volume) => tagOf(volume, tagKeys.etcd) ?? []).sort();
      return member === undefined || address === undefined ? [] : [{ member, address, databases }];
    });
  }

  async template({ id, version }: TemplateVersion): Promise<TemplateContent | undefined> {
    try {
      const { LaunchTemplateVersions } = await this.clients.ec2.describeLaunchTemplateVersions({
        LaunchTemplateId: id,
        Versions: [version],
      });
      const data = LaunchTemplateVersions?.[0]?.LaunchTemplateData;
      return data && templateContent(data);
    } catch (error) {
      if (/^InvalidLaunchTemplate(Id|Name)?\.?(VersionNotFound|NotFound)/.test((error as Error).name)) return undefined;
      throw error;
    }
  }

  async markDraining(machine: string, since: number | undefined): Promise<void> {
    const { ec2 } = this.clients;
    if (since === undefined) await ec2.deleteTags({ Resources: [machine], Tags: [{ Key: tagKeys.drainingSince }] });
    else {
      const Value = new Date(since).toISOString();
      await ec2.createTags({ Resources: [machine], Tags: [{ Key: tagKeys.drainingSince, Value }] });
    }
  }

  async saveDesiredCapacity(group: string, desiredCapacity: number | undefined): Promise<void> {
    const tag = { ResourceId: group, ResourceType: 'auto-scaling-group', Key: tagKeys.desiredCapacity };
    const { autoScaling } = this.clients;
    if (desiredCapacity === undefined) await autoScaling.deleteTags({ Tags: [tag] });
    else
      await autoScaling.createOrUpdateTags({
        Tags: [{ ...tag, Value: String(desiredCapacity), PropagateAtLaunch: false }],
      });
  }

  async resize(group: string, size: number): Promise<void> {
    await this.clients.autoScaling.setDesiredCapacity({ AutoScalingGroupName: group, DesiredCapacity: size });
  }

  async terminate(machine: string, shrink: boolean): Promise<void> {
    await this.clients.autoScaling.terminateInstanceInAutoScalingGroup({
      InstanceId: machine,
      ShouldDecrementDesiredCapacity: shrink,
    });
  }

  async lastFailure(group: string): Promise<string | undefined> {
    const { Activities } = await this.clients.autoScaling.describeScalingActivities({
      AutoScalingGroupName: group,
      MaxRecords: 1,
    });
    const last = Activities?.[0];
    return last?.StatusCode === 'Failed' ? last.StatusMessage : undefined;
  }

  /** Closes the connections. */
  close(): void {
    this.clients.autoScaling.destroy();
    this.clients.ec2.destroy();
  }

  private async scalingGroups(): Promise<AutoScalingGroup[]> {
    const found: AutoScalingGroup[] = [];
    let next: string | undefined;
    do {
      const page = await this.clients.autoScaling.describeAutoScalingGroups({
        Filters: [{ Name: `tag:${tagKeys.cluster}`, Values: [this.cluster] }],
        ...(next !== undefined && { NextToken: next }),
      });
      found.push(...(page.AutoScalingGroups ?? []));
      next = page.NextToken;
    } while (next !== undefined);
    return found;
  }

  private async instances(): Promise<ReadonlyMap<string, Instance>> {
    const found = new Map<string, Instance>();
    let next: string | undefined;
    do {
      const page = await this.clients.ec2.describeInstances({
        Filters: [this.clusterFilter, { Name: 'instance-state-name', Values: ['pending', 'running', 'shutting-down'] }],
        ...(next !== undefined && { NextToken: next }),
      });
      for (const { Instances = [] } of page.Reservations ?? [])
        for (const instance of Instances) found.set(instance.InstanceId ?? '', instance);
      next = page.NextToken;
    } while (next !== undefined);
    return found;
  }

  private async templates(ids: readonly string[]): Promise<ReadonlyMap<string, LaunchTemplate>> {
    if (ids.length === 0) return new Map();
    const { LaunchTemplates = [] } = await this.clients.ec2.describeLaunchTemplates({
      LaunchTemplateIds: [...new Set(ids)],
    });
    return new Map(LaunchTemplates.map((template) => [template.LaunchTemplateId ?? '', template]));
  }

  private async persistentInterfaces(): Promise<{ readonly tags: AwsTag[]; readonly address: string | undefined }[]> {
    const { NetworkInterfaces = [] } = await this.clients.ec2.describeNetworkInterfaces({
      Filters: [this.clusterFilter, { Name: `tag:${tagKeys.interface}`, Values: ['persistent'] }],
    });
    return NetworkInterfaces.map(({ TagSet = [], PrivateIpAddress }) => ({ tags: TagSet, address: PrivateIpAddress }));
  }

  private async databaseVolumes(): Promise<AwsTag[][]> {
    const { Volumes = [] } = await this.clients.ec2.describeVolumes({
      Filters: [this.clusterFilter, { Name: 'tag-key', Values: [tagKeys.etcd] }],
    });
    return Volumes.map(({ Tags = [] }) => Tags);
  }

  private get clusterFilter(): { Name: string; Values: string[] } {
    return { Name: `tag:${tagKeys.cluster}`, Values: [this.cluster] };
  }
}

/** Resolves a template version to its number: groups may refer to `$Latest`, `$Default`, or nothing. */
function numberOf(version: string | undefined, template: LaunchTemplate | undefined): string {
  if (version === '$Latest') return String(template?.LatestVersionNumber ?? version);
  if (version === undefined || version === '$Default') return String(template?.DefaultVersionNumber ?? '$Default');
  return version;
}
