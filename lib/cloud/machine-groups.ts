import { type AutoScalingGroup, type Instance, type LaunchTemplateSpecification } from '@aws-sdk/client-auto-scaling';
import { type Instance as Ec2Instance } from '@aws-sdk/client-ec2';
import { tagKeys } from '../api';
import { type Machine, type MachineGroup, type TemplateVersion } from '../operations';
import { tagOf } from './aws-tag';

/** A group, combined from several AWS calls. */
export interface GroupDescription {
  readonly cluster: string;
  readonly group: AutoScalingGroup;
  /** Instances of the cluster by id. */
  readonly instances: ReadonlyMap<string, Ec2Instance>;
  /** Launch template of the group, with a numeric version. */
  readonly template: TemplateVersion;
}

/** Returns the launch template of a group, which AWS stores in one of two fields. */
export const launchTemplateOf = ({
  LaunchTemplate,
  MixedInstancesPolicy,
}: AutoScalingGroup): LaunchTemplateSpecification =>
  LaunchTemplate ?? MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification ?? {};

/** Returns a machine group; undefined if it is neither a control plane node nor a pool. */
export function machineGroup({ cluster, group, instances, template }: GroupDescription): MachineGroup | undefined {
  const name = group.AutoScalingGroupName ?? '';
  const part = tagOf(group.Tags, tagKeys.part) === 'control-plane' ? 'control-plane' : 'nodes';
  const unit =
    part === 'control-plane'
      ? (tagOf(group.Tags, tagKeys.member) ?? withoutPrefix(name, `${cluster}-control-plane-`))
      : (tagOf(group.Tags, tagKeys.pool) ?? withoutPrefix(name, `${cluster}-node-`));
  if (unit === undefined) return undefined;
  const desiredCapacity = Number(tagOf(group.Tags, tagKeys.desiredCapacity) ?? Number.NaN);
  return {
    name,
    part,
    unit,
    size: group.DesiredCapacity ?? 0,
    min: group.MinSize ?? 0,
    max: group.MaxSize ?? 0,
    template,
    machines: (group.Instances ?? []).map((instance) => machineOf(instance, instances)),
    ...(Number.isInteger(desiredCapacity) && { desiredCapacity }),
  };
}

const withoutPrefix = (name: string, prefix: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined;

function machineOf(instance: Instance, instances: ReadonlyMap<string, Ec2Instance>): Machine {
  const id = instance.InstanceId ?? '';
  const known = instances.get(id);
  const drainingSince = Date.parse(tagOf(known?.Tags, tagKeys.drainingSince) ?? '');
  const template = instanceTemplateOf(instance, known);
  return {
    id,
    zone: instance.AvailabilityZone ?? '',
    state: stateOf(instance.LifecycleState ?? ''),
    launchedAt: known?.LaunchTime?.getTime() ?? 0,
    ...(template && { template }),
    ...(!Number.isNaN(drainingSince) && { drainingSince }),
  };
}

/** EC2 tags each instance with its launch template; the record of the group is the fallback. */
function instanceTemplateOf({ LaunchTemplate }: Instance, known: Ec2Instance | undefined): TemplateVersion | undefined {
  const id = tagOf(known?.Tags, 'aws:ec2launchtemplate:id') ?? LaunchTemplate?.LaunchTemplateId;
  const version = tagOf(known?.Tags, 'aws:ec2launchtemplate:version') ?? LaunchTemplate?.Version;
  return id === undefined || version === undefined ? undefined : { id, version };
}

/** Maps the lifecycle states of Auto Scaling to those of a machine. */
const stateOf = (state: string): Machine['state'] =>
  state === 'InService' || state === 'Standby'
    ? 'in-service'
    : /^(Terminat|Detach)/.test(state)
      ? 'terminating'
      : 'pending';
