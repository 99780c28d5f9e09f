import { type Workload } from '../../api';
import { clusterService } from '../objects/cluster-service';
import { disruptionBudget } from '../objects/disruption-budget';
import { ingress } from '../objects/ingress';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { derivedName } from '../objects/name';
import { networkPolicy } from '../objects/network-policy';
import { portsOf } from '../objects/ports';
import { secondsOf } from '../objects/seconds';
import { leaderElection, serviceAccount } from '../objects/service-account';
import { workloadPod, type Pod } from '../pods/pod';
import { exposureRule } from '../policies/exposure-rule';
import { hostRules } from '../policies/host-rules';
import { type PlatformRule } from '../policies/platform-rule';
import { requestsRule } from '../policies/requests-rule';
import { type ProjectContext } from '../project-context';
import { type KindExpander } from './kind-expander';
import { autoscaler } from './service/autoscaler';
import { withProbes } from './service/health-probes';

type Service = Workload<'PinterestService'>;

/** Creates the Deployment of a stateless service and the objects that route clients to it. */
function objects(workload: Service, context: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const ports = [...portsOf(spec.loadBalancer), ...(spec.ports ?? [])];
  const pod = workloadPod(workload, context, {
    template: spec.template,
    serves: ports.length > 0,
    spread: true,
    revisions: true,
    updateFirstContainer: (container) => withProbes(container, spec),
    apiAccess: spec.apiAccess || spec.leaderElection,
  });
  const ingresses = ingress(workload, spec.loadBalancer, context);
  return [
    serviceAccount(workload),
    ...(spec.leaderElection ? leaderElection(workload) : []),
    ...networkPolicy(workload, context, { ingress: ingresses.length > 0, peers: false }),
    ...pod.objects,
    ...disruptionBudget(workload, spec.disruption, spec.autoscaling?.maxReplicas ?? spec.replicas ?? 1),
    ...clusterService(workload, ports, { sticky: spec.loadBalancer?.stickiness ?? false }),
    deployment(workload, pod),
    ...autoscaler(workload, spec.autoscaling),
    ...ingresses,
  ];
}

/** Creates the Deployment; `replicas` is omitted if an autoscaler sets it. */
function deployment(workload: Service, pod: Pod): KubernetesObject {
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
    selector: { matchLabels: selectorOf(workload) },
    strategy,
    minReadySeconds: secondsOf(rollout.minReady),
    progressDeadlineSeconds: secondsOf(rollout.progressDeadline),
    revisionHistoryLimit: rollout.revisionHistoryLimit,
    ...(rollout.paused && { paused: true }),
    template: pod.template,
  };
  return draftObject('Deployment', { name: derivedName([workload.metadata.name]) }, { spec });
}

const scalingRules: readonly PlatformRule<Service['spec']>[] = [
  {
    name: 'custom-metrics-served',
    field: ['autoscaling', 'custom'],
    cel: 'object.spec.autoscaling.custom.all(t, t.source == "Pods" ? has(params.spec.scaling.customAdapter) : has(params.spec.scaling.externalAdapter))',
    code: 'not-available',
    reason: 'uses a metric that this Platform does not serve',
    remedy: 'scale by cpu or memory, or set an adapter in spec.scaling of the Platform',
    paths: ({ autoscaling }, { platform }) =>
      (autoscaling?.custom ?? []).flatMap(({ metric, source }, index) => {
        const adapter = source === 'Pods' ? 'customAdapter' : 'externalAdapter';
        if (platform.spec.scaling[adapter] !== undefined) return [];
        return [
          {
            path: ['autoscaling', 'custom', index, 'metric'],
            value: metric,
            reason: `has source ${source}, and this Platform has no spec.scaling.${adapter} to serve it`,
            remedy: `scale by cpu or memory, or set spec.scaling.${adapter} of the Platform`,
          },
        ];
      }),
  },
  {
    name: 'scheduled-targets-served',
    field: ['autoscaling', 'scheduled'],
    cel: 'has(params.spec.scaling.scheduledAdapter)',
    code: 'not-available',
    reason: 'requires an adapter that serves its windows as a metric, and this Platform has none',
    remedy: 'remove scheduled, or set spec.scaling.scheduledAdapter of the Platform',
  },
];

/** Expander of PinterestService. */
export const pinterestServiceExpander: KindExpander<'PinterestService'> = {
  objects,
  rules: [requestsRule, exposureRule, ...hostRules, ...scalingRules],
  mounts: () => [],
  controllerNeeds: () => [],
  concurrentJobs: () => undefined,
  controllerVerbs: [],
};
