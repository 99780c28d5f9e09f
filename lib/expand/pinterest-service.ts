import { type Workload } from '../api';
import { autoscaler } from './autoscaler';
import { clusterService } from './cluster-service';
import { deployment } from './deployment';
import { disruptionBudget } from './disruption-budget';
import { withProbes } from './health-probes';
import { ingress } from './ingress';
import { type KubernetesObject } from './kubernetes-object';
import { networkPolicy } from './network-policy';
import { workloadPod } from './pod';
import { portsOf } from './ports';
import { leaderElection, serviceAccount } from './service-account';
import { type ProjectContext } from './project-context';

/** A long-running stateless workload: a Deployment and what brings clients to it. */
export function pinterestService(workload: Workload<'PinterestService'>, world: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const ports = [...portsOf(spec.loadBalancer), ...(spec.ports ?? [])];
  const pod = workloadPod(workload, world, {
    template: spec.template,
    serves: ports.length > 0,
    spread: true,
    first: (container) => withProbes(container, spec),
    apiAccess: spec.apiAccess || spec.leaderElection,
  });
  const entrance = ingress(workload, spec.loadBalancer, world);
  return [
    serviceAccount(workload),
    ...(spec.leaderElection ? leaderElection(workload) : []),
    ...networkPolicy(workload, world, { entrance: entrance.length > 0 }),
    ...pod.objects,
    ...disruptionBudget(workload, spec.disruption, spec.autoscaling?.maxReplicas ?? spec.replicas ?? 1),
    ...clusterService(workload, ports, { sticky: spec.loadBalancer?.stickiness ?? false }),
    deployment(workload, pod),
    ...autoscaler(workload, spec.autoscaling),
    ...entrance,
  ];
}
