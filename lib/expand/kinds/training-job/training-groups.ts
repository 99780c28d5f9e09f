import { isDeepStrictEqual } from 'node:util';
import { type PodTemplate, trainingRoles, type Workload } from '../../../api';
import { serviceHost } from '../../objects/cluster-service';
import { derivedName } from '../../objects/name';

type TrainingJob = Workload<'PinterestTrainingJob'>;
type Role = TrainingJob['spec']['roles'][string];

/** Members with identical pods: one Indexed Job. */
export interface TrainingGroup {
  /** Name of the Job, short enough that host names of its members are DNS labels. */
  readonly job: string;
  /** Role, if the workload has several groups. */
  readonly role?: string;
  /** Roles of the group; the first one contains the leader, which has index 0. */
  readonly roles: readonly string[];
  readonly members: number;
  readonly restartPolicy: Role['restartPolicy'];
  readonly template: PodTemplate;
  /** Whether its members have accelerators. */
  readonly accelerated: boolean;
  /** Whether its member 0 is the leader. */
  readonly leads: boolean;
}

/** Members of a training job, and the Service of their rendezvous. */
export interface Training {
  readonly groups: readonly TrainingGroup[];
  readonly members: number;
  /** Name of the headless Service; undefined for a single member. */
  readonly service?: string;
}

/** Maximum length of a Job's name: host names append a dash and up to five digits. */
const jobNameLimit = 57;

/**
 * Groups the roles of a training job: one group per role, or one for PyTorch's master role and workers if their pods
 * are identical.
 */
export function trainingOf(workload: TrainingJob): Training {
  const { spec, metadata } = workload;
  const roles = trainingRoles[spec.framework].filter((name) => spec.roles[name] !== undefined);
  const groupOf = (name: string): TrainingGroup => {
    const role = spec.roles[name] as Role;
    return {
      job: derivedName([metadata.name, name], jobNameLimit),
      role: name,
      roles: [name],
      members: role.replicas,
      restartPolicy: role.restartPolicy,
      template: (role.template ?? spec.template) as PodTemplate,
      accelerated: spec.accelerators !== undefined && isAccelerated(workload, name),
      leads: name === roles[0],
    };
  };
  const groups = roles.map(groupOf);
  const first = groups[0] as TrainingGroup;
  const members = groups.reduce((sum, group) => sum + group.members, 0);
  const isSingleGroup =
    groups.length === 1 || (spec.framework === 'pytorch' && groups.every((group) => hasEqualPods(group, first)));
  const { role: _, ...shared } = first;
  return {
    groups: isSingleGroup ? [{ ...shared, job: derivedName([metadata.name], jobNameLimit), roles, members }] : groups,
    members,
    ...((members > 1 || spec.elastic) && { service: derivedName([metadata.name]) }),
  };
}

/** Returns the DNS name of a member, which is stable for the lifetime of the job. */
export const memberHost = (workload: TrainingJob, group: TrainingGroup, index: number, service: string): string =>
  serviceHost(`${group.job}-${index}.${service}`, workload.metadata.namespace);

/** Returns the host name by which members find member 0 of a group; a single member has no DNS name. */
export const leaderHost = (workload: TrainingJob, { service }: Training, group: TrainingGroup): string =>
  service === undefined ? 'localhost' : memberHost(workload, group, 0, service);

const isAccelerated = ({ spec }: TrainingJob, role: string): boolean =>
  spec.accelerators?.roles?.includes(role) ?? (role !== 'ps' && role !== 'evaluator');

const hasEqualPods = (a: TrainingGroup, b: TrainingGroup): boolean =>
  a.restartPolicy === b.restartPolicy && a.accelerated === b.accelerated && isDeepStrictEqual(a.template, b.template);
