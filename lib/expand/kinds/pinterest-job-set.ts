import { metadataKeys, recommended, type Workload } from '../../api';
import { headlessService } from '../objects/cluster-service';
import { jobSpec } from '../objects/job';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { labelsOf } from '../objects/labels';
import { networkPolicy } from '../objects/network-policy';
import { workloadPod, type Pod, type PodRequest } from '../pods/pod';
import { serviceAccount } from '../objects/service-account';
import { choiceOf, setName, shardName, shardsDiffer, shardWorkload, shardVariables } from './job-set/shard';
import { shardClaim } from './job-set/shard-claim';
import { shardConfig } from './job-set/shard-config';
import { withVolumeGroup } from '../pods/volume-group';
import { type ProjectContext } from '../project-context';

/** Work to completion, cut into shards: one Indexed Job, or a Job per shard where shards differ. */
export function pinterestJobSet(workload: Workload<'PinterestJobSet'>, context: ProjectContext): KubernetesObject[] {
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { entrance: false }),
    ...(workload.spec.dnsNames
      ? [headlessService(workload, setName(workload), [], { publishNotReadyAddresses: true })]
      : []),
    ...(shardsDiffer(workload) ? separateJobs(workload, context) : indexedJob(workload, context)),
  ];
}

function indexedJob(workload: Workload<'PinterestJobSet'>, context: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const pod = workloadPod(workload, context, {
    ...common(workload),
    template: spec.template,
    env: shardVariables(spec.shards),
    // The Job sets the host name of each pod: its own name and the index.
    ...(spec.dnsNames && { pod: { subdomain: setName(workload) } }),
  });
  const work = {
    completions: spec.shards,
    parallelism: spec.parallelism ?? spec.shards,
    indexed: true,
    maxFailed: spec.failurePolicy.maxFailedShards,
  };
  return [...pod.objects, draftObject('Job', { name: setName(workload) }, { spec: jobSpec(spec, work, pod) })];
}

function separateJobs(workload: Workload<'PinterestJobSet'>, context: ProjectContext): KubernetesObject[] {
  const shared = new Map<string, KubernetesObject>();
  const objects: KubernetesObject[] = [];
  for (let index = 0; index < workload.spec.shards; index++) {
    const { own, pod } = shard(workload, context, index);
    objects.push(...own);
    for (const object of pod.objects) shared.set(`${object.kind} ${object.metadata.name}`, object);
  }
  return [...shared.values(), ...objects];
}

function shard(
  workload: Workload<'PinterestJobSet'>,
  context: ProjectContext,
  index: number,
): { own: KubernetesObject[]; pod: Pod } {
  const { spec } = workload;
  const choice = choiceOf(spec.overrides, index);
  const volumes = [
    ...(spec.configTemplates ?? []).map((template) => shardConfig(workload, context, template, index, choice)),
    ...(spec.volumeClaimTemplates ?? []).map((template) => shardClaim(workload, context, template, index, choice)),
  ];
  const member = String(index);
  const own = shardWorkload(workload, choice);
  const pod = workloadPod(own, context, {
    ...common(workload),
    template: (spec.volumeClaimTemplates ?? []).length > 0 ? withVolumeGroup(own.spec.template) : own.spec.template,
    env: shardVariables(spec.shards, index),
    volumes: volumes.map(({ volume }) => volume),
    mounts: volumes.map(({ mount }) => mount),
    pool: choice.pool,
    // Labels instead of the request's member: shards are spread among all pods of the set, not each among itself.
    labels: { [metadataKeys.member]: member, [recommended.component]: member },
    ...(spec.dnsNames && { pod: { hostname: shardName(workload, index), subdomain: setName(workload) } }),
  });
  const work = { completions: 1, parallelism: 1, indexed: false };
  const job = draftObject(
    'Job',
    { name: shardName(workload, index), labels: labelsOf(workload, context, member) },
    { spec: jobSpec(spec, work, pod) },
  );
  return { own: [...volumes.map(({ object }) => object), job], pod };
}

const common = ({ spec }: Workload<'PinterestJobSet'>): Pick<PodRequest, 'serves' | 'spread' | 'restartPolicy'> => ({
  // Work rarely serves anybody; it goes on for a while after it was asked to end only where the person says so.
  serves: spec.termination.drain !== undefined,
  spread: spec.shards > 1,
  restartPolicy: 'Never',
});
