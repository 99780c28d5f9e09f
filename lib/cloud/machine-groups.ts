import { type AutoScalingGroup, type Instance, type LaunchTemplateSpecification } from '@aws-sdk/client-auto-scaling';
import { type Instance as Ec2Instance } from '@aws-sdk/client-ec2';
import { tagKeys } from '../api';
import { type Machine, type MachineGroup, type TemplateVersion } from '../operations';
import { tagOf } from './aws-tag';

/** What a group is made of, as AWS tells it in several calls. */
export interface GroupFacts {
  readonly cluster: string;
  readonly group: AutoScalingGroup;
  /** Instances of the cluster by their id. */
  readonly instances: ReadonlyMap<string, Ec2Instance>;
  /** The group's template, its version a number. */
  readonly template: TemplateVersion;
}

/** What a group starts new machines from, in either of the two places that AWS has for it. */
export const templateOf = ({ LaunchTemplate, MixedInstancesPolicy }: AutoScalingGroup): LaunchTemplateSpecification =>
  LaunchTemplate ?? MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification ?? {};

/** A group as a roll sees it; undefined for one that is neither a master nor a pool. */
export function machineGroup({ cluster, group, instances, template }: GroupFacts): MachineGroup | undefined {
  const name = group.AutoScalingGroupName ?? '';
  const part = tagOf(group.Tags, tagKeys.part) === 'control-plane' ? 'master' : 'nodes';
  const unit =
    part === 'master'
      ? (tagOf(group.Tags, tagKeys.member) ?? withoutPrefix(name, `${cluster}-master-`))
      : (tagOf(group.Tags, tagKeys.pool) ?? withoutPrefix(name, `${cluster}-node-`));
  if (unit === undefined) return undefined;
  const base = Number(tagOf(group.Tags, tagKeys.base) ?? Number.NaN);
  return {
    name,
    part,
    unit,
    size: group.DesiredCapacity ?? 0,
    min: group.MinSize ?? 0,
    max: group.MaxSize ?? 0,
    template,
    machines: (group.Instances ?? []).map((instance) => machineOf(instance, instances)),
    ...(Number.isInteger(base) && { base }),
  };
}

const withoutPrefix = (name: string, prefix: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined;

function machineOf(instance: Instance, instances: ReadonlyMap<string, Ec2Instance>): Machine {
  const id = instance.InstanceId ?? '';
  const known = instances.get(id);
  const leaving = Date.parse(tagOf(known?.Tags, tagKeys.leaving) ?? '');
  const template = startedFrom(instance, known);
  return {
    id,
    zone: instance.AvailabilityZone ?? '',
    state: stateOf(instance.LifecycleState ?? ''),
    launched: known?.LaunchTime?.getTime() ?? 0,
    ...(template && { template }),
    ...(!Number.isNaN(leaving) && { leavingSince: leaving }),
  };
}

/** EC2 notes on each instance what it was started from; the group's own note is for those where it did not. */
function startedFrom({ LaunchTemplate }: Instance, known: Ec2Instance | undefined): TemplateVersion | undefined {
  const id = tagOf(known?.Tags, 'aws:ec2launchtemplate:id') ?? LaunchTemplate?.LaunchTemplateId;
  const version = tagOf(known?.Tags, 'aws:ec2launchtemplate:version') ?? LaunchTemplate?.Version;
  return id === undefined || version === undefined ? undefined : { id, version };
}

/** Of the many states of a group's life (docs: Amazon EC2 Auto Scaling instance lifecycle), as far as a roll cares. */
const stateOf = (state: string): Machine['state'] =>
  state === 'InService' || state === 'Standby' ? 'in-service' : /^(Terminat|Detach)/.test(state) ? 'going' : 'coming';
