import { environmentPrefix, metadataKeys, recommended, type EnvVar, type Spec, type Workload } from '../../../api';
import { jobSpec } from '../../objects/job';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { labelsOf } from '../../objects/labels';
import { derivedName, shortHash } from '../../objects/name';
import { secondsOf } from '../../objects/seconds';
import { shardVariables } from '../../objects/shard-variables';
import { workloadPod, type PodRequest } from '../../pods/pod';
import { type ProjectContext } from '../../project-context';
import { withExclusiveTopology } from './exclusive-topology';
import { setName } from './shard';

type JobSet = Workload<'PinterestJobSet'>;

/** Entry of `replicatedJobs`. */
type JobOfSet = NonNullable<Spec<'PinterestJobSet'>['replicatedJobs']>[number];

/** Maximum length of a name without its replica: with two indexes below 10,000, it must fit into the 63 characters of a host name. */
const maxNameLength = 53;

/** Returns the name of a Job of a set; it does not depend on the number of replicas or shards. */
export const replicaName = (workload: Workload, job: string, replica: number): string =>
  `${derivedName([workload.metadata.name, job], maxNameLength)}-${replica}`;

/** Returns the member label of a Job and its pods. */
export const memberOfReplica = (job: string, replica: number): string => `${job}-${replica}`;

/** Parses the member label of a Job of a set. */
export function replicaOfMember(member: string): { readonly job: string; readonly replica: number } {
  const dash = member.lastIndexOf('-');
  return { job: member.slice(0, dash), replica: Number(member.slice(dash + 1)) };
}

/** Returns the host name of the coordinator; undefined if the set has none. */
const coordinatorHost = (workload: JobSet): string | undefined => {
  const { coordinator } = workload.spec;
  return (
    coordinator &&
    `${replicaName(workload, coordinator.job, coordinator.replica)}-${coordinator.shard}.${setName(workload)}`
  );
};

/** Returns the variables of a pod: its job, replica and shard, and the coordinator. */
function jobVariables(workload: JobSet, job: JobOfSet, replica: number): EnvVar[] {
  const host = coordinatorHost(workload);
  return [
    { name: `${environmentPrefix}JOB_NAME`, value: job.name },
    { name: `${environmentPrefix}REPLICA_INDEX`, value: String(replica) },
    { name: `${environmentPrefix}REPLICA_COUNT`, value: String(job.replicas) },
    ...shardVariables(job.shards),
    ...(host === undefined ? [] : [{ name: `${environmentPrefix}COORDINATOR`, value: host }]),
  ];
}

/** Creates an Indexed Job for each replica of each job, and the objects that their pods share. */
export function jobsOfReplicas(
  workload: JobSet,
  context: ProjectContext,
  common: Omit<PodRequest, 'template'>,
): KubernetesObject[] {
  const shared = new Map<string, KubernetesObject>();
  const jobs: KubernetesObject[] = [];
  for (const job of workload.spec.replicatedJobs ?? []) {
    // The version and the image of its pods are those of their own template.
    const own = { ...workload, spec: { ...workload.spec, replicatedJobs: [job] } };
    for (let replica = 0; replica < job.replicas; replica++) {
      const pod = podOfReplica(own, context, common, job, replica);
      for (const object of pod.objects) shared.set(`${object.kind} ${object.metadata.name}`, object);
      const labels = {
        ...labelsOf(own, context, memberOfReplica(job.name, replica)),
        [metadataKeys.job]: job.name,
      };
      const work = {
        completions: job.shards,
        parallelism: job.parallelism ?? job.shards,
        indexed: true,
        maxFailed: job.maxFailedShards,
      };
      const spec = jobSpec(optionsOf(workload, job), work, pod);
      jobs.push(draftObject('Job', { name: replicaName(workload, job.name, replica), labels }, { spec }));
    }
  }
  return [...shared.values(), ...jobs];
}

function podOfReplica(
  workload: JobSet,
  context: ProjectContext,
  common: Omit<PodRequest, 'template'>,
  job: JobOfSet,
  replica: number,
) {
  const { dnsNames, coordinator } = workload.spec;
  const member = memberOfReplica(job.name, replica);
  const key = jobKey(workload, member);
  return workloadPod(workload, context, {
    ...common,
    template:
      job.exclusiveTopology === undefined
        ? job.template
        : withExclusiveTopology(job.template, metadataKeys.jobKey, key, job.exclusiveTopology),
    // A Job within one topology domain is not spread over domains.
    spread: common.spread && job.exclusiveTopology === undefined,
    env: jobVariables(workload, job, replica),
    labels: {
      [metadataKeys.member]: member,
      [recommended.component]: member,
      [metadataKeys.job]: job.name,
      [metadataKeys.jobKey]: key,
    },
    // The Job sets the host name of each pod: its own name and the index.
    ...((dnsNames || coordinator) && { pod: { subdomain: setName(workload) } }),
  });
}

/** Returns a label value that is unique in the cluster for each Job. */
const jobKey = ({ metadata }: JobSet, member: string): string =>
  shortHash(`${metadata.namespace}/${metadata.name}/${member}`);

/** Returns the options of a Job: its own, or else those of the set. */
function optionsOf({ spec }: JobSet, job: JobOfSet): Parameters<typeof jobSpec>[0] {
  const deadlines = [job.activeDeadline, spec.activeDeadline].filter((deadline) => deadline !== undefined);
  return {
    retries: job.retries ?? spec.retries,
    activeDeadline: deadlines.sort((a, b) => secondsOf(a) - secondsOf(b))[0],
    ttlAfterFinished: spec.ttlAfterFinished,
    podFailurePolicy: job.podFailurePolicy ?? spec.podFailurePolicy,
    podReplacementPolicy: job.podReplacementPolicy ?? spec.podReplacementPolicy,
    successPolicy: job.successPolicy,
    suspend: spec.suspend,
  };
}
