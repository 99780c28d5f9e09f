import { metadataKeys, recommended, type Workload } from '../../api';
import { headlessService } from '../objects/cluster-service';
import { jobSpec } from '../objects/job';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { labelsOf } from '../objects/labels';
import { networkPolicy } from '../objects/network-policy';
import { workloadPod, type Pod, type PodRequest } from '../pods/pod';
import { serviceAccount } from '../objects/service-account';
import { jobsOfReplicas } from './job-set/replicated-job';
import {
  hasTemplate,
  settingsOfShard,
  setName,
  shardName,
  shardsDiffer,
  shardWorkload,
  type SingleJobSet,
} from './job-set/shard';
import { shardClaim } from './job-set/shard-claim';
import { shardConfig } from './job-set/shard-config';
import { withVolumeGroup } from '../pods/volume-group';
import { type ProjectContext } from '../project-context';
import { type PlatformRule } from '../policies/platform-rule';
import { jobRequestsRule, requestsRule } from '../policies/requests-rule';
import { poolNames, unknownPaths } from '../policies/rule-paths';
import { storageClassRule } from '../policies/storage-class-rule';
import { shardVariables } from '../objects/shard-variables';
import { jobSetNeeds } from './job-set/job-set-needs';
import { listedMounts, type KindExpander } from './kind-expander';

type JobSet = Workload<'PinterestJobSet'>;

/** Creates one Indexed Job for all shards, a Job for each shard if shards differ, or the Jobs of `replicatedJobs`. */
function objects(workload: JobSet, context: ProjectContext): KubernetesObject[] {
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { ingress: false, peers: true }),
    ...(workload.spec.dnsNames || workload.spec.coordinator
      ? [headlessService(workload, setName(workload), [], { publishNotReadyAddresses: true })]
      : []),
    ...jobs(workload, context),
  ];
}

function jobs(workload: JobSet, context: ProjectContext): KubernetesObject[] {
  if (!hasTemplate(workload)) return jobsOfReplicas(workload, context, { ...common(workload), spread: true });
  return shardsDiffer(workload) ? separateJobs(workload, context) : indexedJob(workload, context);
}

function indexedJob(workload: SingleJobSet, context: ProjectContext): KubernetesObject[] {
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

function separateJobs(workload: SingleJobSet, context: ProjectContext): KubernetesObject[] {
  const shared = new Map<string, KubernetesObject>();
  const ownObjects: KubernetesObject[] = [];
  for (let index = 0; index < workload.spec.shards; index++) {
    const { own, pod } = shardObjects(workload, context, index);
    ownObjects.push(...own);
    for (const object of pod.objects) shared.set(`${object.kind} ${object.metadata.name}`, object);
  }
  return [...shared.values(), ...ownObjects];
}

function shardObjects(
  workload: SingleJobSet,
  context: ProjectContext,
  index: number,
): { own: KubernetesObject[]; pod: Pod } {
  const { spec } = workload;
  const settings = settingsOfShard(spec.overrides, index);
  const volumes = [
    ...(spec.configTemplates ?? []).map((template) => shardConfig(workload, context, template, index, settings)),
    ...(spec.volumeClaimTemplates ?? []).map((template) => shardClaim(workload, context, template, index, settings)),
  ];
  const member = String(index);
  const own = shardWorkload(workload, settings);
  const pod = workloadPod(own, context, {
    ...common(workload),
    template: (spec.volumeClaimTemplates ?? []).length > 0 ? withVolumeGroup(own.spec.template) : own.spec.template,
    env: shardVariables(spec.shards, index),
    volumes: volumes.map(({ volume }) => volume),
    mounts: volumes.map(({ mount }) => mount),
    pool: settings.pool,
    // Labels instead of `member`: topology spread must count the pods of all shards together.
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

const common = ({ spec }: JobSet): Pick<PodRequest, 'expiry' | 'serves' | 'spread' | 'restartPolicy'> => ({
  // Jobs rarely serve clients; a drain delays their termination only if the workload sets one.
  serves: spec.termination.drain !== undefined,
  spread: spec.shards > 1,
  restartPolicy: 'Never',
  expiry: `${spec.ttlAfterFinished} after its end`,
});

/** Returns the maximum number of concurrent shards with separate Jobs; undefined if all can run at the same time. */
function concurrentJobs(workload: JobSet): number | undefined {
  const { shards, parallelism } = workload.spec;
  return shardsDiffer(workload) && parallelism !== undefined && parallelism < shards ? parallelism : undefined;
}

const overridePools: PlatformRule<JobSet['spec']> = {
  name: 'override-pools-offered',
  field: ['overrides'],
  cel: 'object.spec.overrides.all(o, !has(o.pool) || params.spec.pools.exists(p, p.name == o.pool))',
  code: 'not-available',
  reason: 'names a node pool that this Platform does not offer',
  remedy: 'use one of its spec.pools',
  paths: ({ overrides = [] }, context) =>
    unknownPaths(
      overrides.map(({ pool }) => pool),
      poolNames(context),
      ['overrides'],
      'is not a node pool of this Platform',
      'pool',
    ),
};

/** Expander of PinterestJobSet. */
export const pinterestJobSetExpander: KindExpander<'PinterestJobSet'> = {
  objects,
  rules: [requestsRule, jobRequestsRule, storageClassRule('claim-template-class-offered'), overridePools],
  mounts: ({ configTemplates, volumeClaimTemplates }) => [
    ...listedMounts(['configTemplates'], configTemplates),
    ...listedMounts(['volumeClaimTemplates'], volumeClaimTemplates),
  ],
  controllerNeeds: jobSetNeeds,
  concurrentJobs,
  // Job sets are deleted after their ttlAfterFinished.
  controllerVerbs: ['delete'],
};
