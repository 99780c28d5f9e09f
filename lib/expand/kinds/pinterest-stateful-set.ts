import { environmentPrefix, type EnvVar, type Problem, type Workload } from '../../api';
import { clusterService, headlessService } from '../objects/cluster-service';
import { disruptionBudget } from '../objects/disruption-budget';
import { ingress } from '../objects/ingress';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { networkPolicy } from '../objects/network-policy';
import { workloadPod } from '../pods/pod';
import { portsOf } from '../objects/ports';
import { serviceAccount } from '../objects/service-account';
import { membersServiceName, statefulSet } from './stateful-set/stateful-set';
import { claimMounts } from './stateful-set/volume-claims';
import { withVolumeGroup } from '../pods/volume-group';
import { type ProjectContext } from '../project-context';

type StatefulSet = Workload<'PinterestStatefulSet'>;

/** Members with names and volumes of their own: a StatefulSet, the Service by which they find each other, and what brings clients. */
export function pinterestStatefulSet(
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
  const entrance = ingress(workload, spec.loadBalancer, context);
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { entrance: entrance.length > 0 }),
    ...pod.objects,
    ...disruptionBudget(workload, disruptionOf(workload), spec.replicas),
    headlessService(workload, membersServiceName(workload), memberPorts, {
      publishNotReadyAddresses: spec.publishNotReadyAddresses,
    }),
    ...clusterService(workload, clientPorts, { sticky: spec.loadBalancer?.stickiness ?? false }),
    statefulSet(workload, pod, context),
    ...entrance,
  ];
}

/** The API server drops the field without a word where the gate is off, as it is by default in 1.35 and 1.36. */
const unavailableIgnored = (value: number | string): Problem => ({
  code: 'unsupported-field',
  path: ['spec', 'update', 'maxUnavailable'],
  value,
  reason:
    'has an effect only on clusters whose feature gate MaxUnavailableStatefulSet is on, which it is not by default',
  remedy: 'leave it out, or make sure that the gate is on',
  rule: 'stateful-set-max-unavailable',
  severity: 'warning',
});

/** Members hold data, so that one at a time may go, however many there are. */
function disruptionOf({ spec: { disruption } }: StatefulSet): StatefulSet['spec']['disruption'] {
  const { minAvailable, maxUnavailable = 1 } = disruption;
  return minAvailable === undefined ? { ...disruption, maxUnavailable } : disruption;
}

/** The number of a member and the domain of all; not their count, which would restart every member when it changes. */
const memberVariables = (workload: StatefulSet): EnvVar[] => [
  {
    name: `${environmentPrefix}MEMBER_INDEX`,
    valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } },
  },
  {
    name: `${environmentPrefix}MEMBERS_DOMAIN`,
    value: `${membersServiceName(workload)}.${workload.metadata.namespace}.svc`,
  },
];
