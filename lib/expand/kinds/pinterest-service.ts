import { type Workload } from '../../api';
import { autoscaler } from './service/autoscaler';
import { clusterService } from '../objects/cluster-service';
import { deployment } from './service/deployment';
import { disruptionBudget } from '../objects/disruption-budget';
import { withProbes } from './service/health-probes';
import { ingress } from '../objects/ingress';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { networkPolicy } from '../objects/network-policy';
import { workloadPod } from '../pods/pod';
import { portsOf } from '../objects/ports';
import { leaderElection, serviceAccount } from '../objects/service-account';
import { type ProjectContext } from '../project-context';

/** A long-running stateless workload: a Deployment and what brings clients to it. */
export function pinterestService(workload: Workload<'PinterestService'>, context: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const ports = [...portsOf(spec.loadBalancer), ...(spec.ports ?? [])];
  const pod = workloadPod(workload, context, {
    template: spec.template,
    serves: ports.length > 0,
    spread: true,
    first: (container) => withProbes(container, spec),
    apiAccess: spec.apiAccess || spec.leaderElection,
  });
  const entrance = ingress(workload, spec.loadBalancer, context);
  return [
    serviceAccount(workload),
    ...(spec.leaderElection ? leaderElection(workload) : []),
    ...networkPolicy(workload, context, { entrance: entrance.length > 0 }),
    ...pod.objects,
    ...disruptionBudget(workload, spec.disruption, spec.autoscaling?.maxReplicas ?? spec.replicas ?? 1),
    ...clusterService(workload, ports, { sticky: spec.loadBalancer?.stickiness ?? false }),
    deployment(workload, pod),
    ...autoscaler(workload, spec.autoscaling),
    ...entrance,
  ];
}
