import { environmentPrefix, type EnvVar, type Problem, type Workload } from '../../api';
import { clusterService, headlessService, serviceHost } from '../objects/cluster-service';
import { disruptionBudget } from '../objects/disruption-budget';
import { hookObjects } from '../objects/hook-jobs';
import { concurrentHooks, hookNeeds } from '../objects/hook-needs';
import { ingress } from '../objects/ingress';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { derivedName } from '../objects/name';
import { networkPolicy } from '../objects/network-policy';
import { portsOf } from '../objects/ports';
import { secondsOf } from '../objects/seconds';
import { serviceAccount } from '../objects/service-account';
import { workloadPod, type Pod } from '../pods/pod';
import { withVolumeGroup } from '../pods/volume-group';
import { exposureRule } from '../policies/exposure-rule';
import { hostRules } from '../policies/host-rules';
import { hookRequestsRule, requestsRule } from '../policies/requests-rule';
import { storageClassRule } from '../policies/storage-class-rule';
import { type ProjectContext } from '../project-context';
import { listedMounts, type KindExpander } from './kind-expander';
import { claimMounts, volumeClaimTemplates } from './stateful-set/volume-claims';

type StatefulSet = Workload<'PinterestStatefulSet'>;

/** Maximum length of the name: a pod label contains it with a dash and a hash of ten characters, up to 63 characters in total. */
const maxNameLength = 52;

/** Returns the name of the StatefulSet; its members are named `<name>-<ordinal>`. */
const statefulSetName = (workload: Workload): string => derivedName([workload.metadata.name], maxNameLength);

/** Returns the name of the headless Service by which members find each other. */
const membersServiceName = ({ metadata, spec }: StatefulSet): string =>
  spec.membersService ?? derivedName([metadata.name, 'members']);

/** Creates the StatefulSet, the headless Service by which members find each other, and the objects that route clients to them. */
function objects(
  workload: StatefulSet,
  context: ProjectContext,
  report: (problem: Problem) => void,
): KubernetesObject[] {
  const { spec } = workload;
  if (spec.update.maxUnavailable !== undefined) report(unavailableIgnored(spec.update.maxUnavailable));
  const clientPorts = portsOf(spec.loadBalancer);
  const memberPorts = [...clientPorts, ...(spec.ports ?? [])];
  const pod = workloadPod(workload, context, {
    template: spec.volumeClaimTemplates.length > 0 ? withVolumeGroup(spec.template) : spec.template,
    serves: memberPorts.length > 0,
    spread: true,
    env: memberVariables(workload),
    mounts: claimMounts(spec.volumeClaimTemplates),
  });
  const ingresses = ingress(workload, spec.loadBalancer, context);
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { ingress: ingresses.length > 0, peers: true }),
    ...pod.objects,
    ...disruptionBudget(workload, disruptionOf(workload), spec.replicas),
    headlessService(workload, membersServiceName(workload), memberPorts, {
      publishNotReadyAddresses: spec.publishNotReadyAddresses,
    }),
    ...clusterService(workload, clientPorts, { sticky: spec.loadBalancer?.stickiness ?? false }),
    statefulSet(workload, pod, context),
    ...ingresses,
    ...hookObjects(workload, context, {
      template: spec.template,
      env: [membersDomain(workload)],
      peers: true,
    }),
  ];
}

function statefulSet(workload: StatefulSet, pod: Pod, context: ProjectContext): KubernetesObject {
  const {
    replicas,
    ordinals,
    podManagementPolicy: management,
    update,
    volumeClaimTemplates: claims,
    persistentVolumeClaimRetentionPolicy: claimRetention,
  } = workload.spec;
  const { whenDeleted, whenScaled } = claimRetention;
  const spec = {
    replicas,
    ...(ordinals.start > 0 && { ordinals: { start: ordinals.start } }),
    serviceName: membersServiceName(workload),
    selector: { matchLabels: selectorOf(workload) },
    podManagementPolicy: management === 'Parallel' ? 'Parallel' : 'OrderedReady',
    updateStrategy: strategyOf(update),
    minReadySeconds: secondsOf(update.minReady),
    revisionHistoryLimit: update.revisionHistoryLimit,
    ...(claims.length > 0 && {
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      volumeClaimTemplates: volumeClaimTemplates(claims, context),
    }),
    template: pod.template,
  };
  return draftObject('StatefulSet', { name: statefulSetName(workload) }, { spec });
}

function strategyOf({ strategy, partition, maxUnavailable }: StatefulSet['spec']['update']) {
  if (strategy === 'OnDelete') return { type: 'OnDelete' };
  return {
    type: 'RollingUpdate',
    rollingUpdate: { partition, ...(maxUnavailable !== undefined && { maxUnavailable }) },
  };
}

/** The API server silently drops the field where the feature gate is disabled, as it is by default in 1.35 and 1.36. */
const unavailableIgnored = (value: number | string): Problem => ({
  code: 'unsupported-field',
  path: ['spec', 'update', 'maxUnavailable'],
  value,
  reason: 'takes effect only on clusters with the feature gate MaxUnavailableStatefulSet, which is disabled by default',
  remedy: 'remove it, or make sure that the gate is enabled',
  rule: 'stateful-set-max-unavailable',
  severity: 'warning',
});

/** Returns the disruption settings. Members hold data, so by default only one at a time is disrupted, regardless of their number. */
function disruptionOf({ spec: { disruption } }: StatefulSet): StatefulSet['spec']['disruption'] {
  const { minAvailable, maxUnavailable = 1 } = disruption;
  return minAvailable === undefined ? { ...disruption, maxUnavailable } : disruption;
}

/** Returns the variables with a member's index and the domain of all members. Their count is excluded, because changing it would restart every member. */
const memberVariables = (workload: StatefulSet): EnvVar[] => [
  {
    name: `${environmentPrefix}MEMBER_INDEX`,
    valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } },
  },
  membersDomain(workload),
];

/** Returns the variable with the domain below which the names of members are. */
const membersDomain = (workload: StatefulSet): EnvVar => ({
  name: `${environmentPrefix}MEMBERS_DOMAIN`,
  value: serviceHost(membersServiceName(workload), workload.metadata.namespace),
});

/** Expander of PinterestStatefulSet. */
export const pinterestStatefulSetExpander: KindExpander<'PinterestStatefulSet'> = {
  objects,
  rules: [requestsRule, hookRequestsRule, exposureRule, ...hostRules, storageClassRule('claim-class-offered')],
  mounts: (spec) => listedMounts(['volumeClaimTemplates'], spec.volumeClaimTemplates),
  controllerNeeds: hookNeeds,
  concurrentJobs: concurrentHooks,
  controllerVerbs: [],
};
