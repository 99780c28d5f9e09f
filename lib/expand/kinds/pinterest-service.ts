import { type ApiAccess, type Workload } from '../../api';
import { clusterService } from '../objects/cluster-service';
import { disruptionBudget } from '../objects/disruption-budget';
import { concurrentHooks, hookNeeds } from '../objects/hook-needs';
import { hookObjects } from '../objects/hook-jobs';
import { ingress } from '../objects/ingress';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { networkPolicy } from '../objects/network-policy';
import { portsOf } from '../objects/ports';
import { secondsOf } from '../objects/seconds';
import { leaderElection, serviceAccount } from '../objects/service-account';
import { workloadPod, type Pod } from '../pods/pod';
import { exposureRule } from '../policies/exposure-rule';
import { hostRules } from '../policies/host-rules';
import { hookRequestsRule, requestsRule } from '../policies/requests-rule';
import { type ProjectContext } from '../project-context';
import { type KindExpander } from './kind-expander';
import { autoscaler } from './service/autoscaler';
import { withProbes } from './service/health-probes';
import { scalingRules } from './service/scaling-rules';
import { variantPlatformRules } from './service/variant-platform-rules';
import { deploymentsOf, maxPods, type ServiceDeployment } from './service/variants';

type Service = Workload<'PinterestService'>;

/** Creates the Deployments of a stateless service and the objects that route clients to them. */
function objects(workload: Service, context: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const ports = [...portsOf(spec.loadBalancer), ...(spec.ports ?? [])];
  const deployments = deploymentsOf(workload).map((one) => ({
    ...one,
    pod: podOf(one, context, { serves: ports.length > 0 }),
  }));
  const ingresses = ingress(workload, spec.loadBalancer, context);
  return [
    serviceAccount(workload),
    ...(spec.leaderElection ? leaderElection(workload) : []),
    ...networkPolicy(workload, context, {
      ingress: ingresses.length > 0,
      peers: false,
      apiAccess: apiAccessOfPods(workload),
    }),
    ...distinct(deployments.flatMap(({ pod }) => pod.objects)),
    ...disruptionBudget(workload, spec.disruption, maxPods(workload)),
    ...clusterService(workload, ports, { sticky: spec.loadBalancer?.stickiness ?? false }),
    ...deployments.flatMap((one) => [deployment(one, one.pod), ...autoscaler(one)]),
    ...ingresses,
    ...hookObjects(workload, context, { template: spec.template, peers: false }),
  ];
}

/** Returns how clients in the pods reach the API server: an election needs it, too. */
const apiAccessOfPods = ({ spec }: Service): ApiAccess =>
  spec.apiAccess === false ? spec.leaderElection : spec.apiAccess;

/** Creates the pod template of one Deployment; pods of each revision, and so of each variant, are spread separately. */
function podOf(one: ServiceDeployment, context: ProjectContext, { serves }: { readonly serves: boolean }): Pod {
  const { workload, labels, pool } = one;
  const { spec } = workload;
  return workloadPod(workload, context, {
    template: spec.template,
    serves,
    spread: true,
    revisions: true,
    updateFirstContainer: (container) => withProbes(container, spec),
    apiAccess: apiAccessOfPods(workload),
    labels,
    pool,
  });
}

/** Returns objects without those that several variants share. */
const distinct = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] => [
  ...new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object])).values(),
];

/** Creates a Deployment; `replicas` is omitted if an autoscaler sets it. */
function deployment({ workload, name, labels, objectLabels }: ServiceDeployment, pod: Pod): KubernetesObject {
  const { replicas, autoscaling, rollout } = workload.spec;
  const strategy =
    rollout.strategy === 'Recreate'
      ? { type: 'Recreate' }
      : {
          type: 'RollingUpdate',
          rollingUpdate: { maxSurge: rollout.maxSurge, maxUnavailable: rollout.maxUnavailable },
        };
  const spec = {
    ...(autoscaling === undefined && { replicas: replicas ?? 1 }),
    selector: { matchLabels: { ...selectorOf(workload), ...labels } },
    strategy,
    minReadySeconds: secondsOf(rollout.minReady),
    progressDeadlineSeconds: secondsOf(rollout.progressDeadline),
    revisionHistoryLimit: rollout.revisionHistoryLimit,
    ...(rollout.paused && { paused: true }),
    template: pod.template,
  };
  return draftObject('Deployment', { name, labels: objectLabels }, { spec });
}

/** Expander of PinterestService. */
export const pinterestServiceExpander: KindExpander<'PinterestService'> = {
  objects,
  rules: [requestsRule, hookRequestsRule, exposureRule, ...hostRules, ...scalingRules, ...variantPlatformRules],
  mounts: () => [],
  controllerNeeds: hookNeeds,
  concurrentJobs: concurrentHooks,
  controllerVerbs: [],
};
