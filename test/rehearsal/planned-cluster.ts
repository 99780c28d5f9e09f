import { safePlanCapacity, type CapacityPlan } from '../../lib';
import {
  parseCluster,
  loadOf,
  planClusterStack,
  plannedCapacity,
  type ClusterInput,
  type ControlPlaneMachinePlan,
} from '../../stacks/plan';
import { controlPlaneUserData, type ControlPlaneSpec, type Member, type WorkerSpec } from '../../stacks/plan/bootstrap';
import { machineSpecs } from '../../stacks/plan/machines/machine-specs';
import { plainCluster } from '../stacks/plan/make-cluster';
import { type RehearsedVersion } from './tools';

/** Cluster of 300 nodes, and the plan of its control plane. */
export interface PlannedCluster {
  readonly vpc: string;
  readonly capacity: CapacityPlan;
  readonly spec: ControlPlaneSpec;
  /** Machines of a pool, and their subnet block. */
  readonly worker: WorkerSpec;
  readonly workerSubnet: string;
  /** Planned control plane nodes, with their user data. */
  readonly controlPlaneNodes: readonly {
    readonly plan: ControlPlaneMachinePlan;
    readonly member: Member;
    readonly userData: string;
  }[];
}

/** OIDC login of users; a rehearsal cannot reach the issuer. */
const oidc: ClusterInput['oidc'] = {
  issuer: 'https://login.example.com',
  clientId: 'kubernetes',
  adminGroups: ['platform'],
  observerGroups: ['performance'],
};

/** The machine of a rehearsal may use cgroups v1, which kubelets otherwise reject. */
const overrides = { failCgroupV1: false };

/**
 * Plans a cluster.
 *
 * @param alone includes only the first control plane node, which then comes up without the others; the plan is
 * otherwise that of three nodes
 */
export function plannedCluster(kubernetes: RehearsedVersion, alone: boolean): PlannedCluster {
  const input: ClusterInput = { ...plainCluster, oidc, kubernetesVersion: kubernetes, clientMonitor: 'machine' };
  const config = parseCluster(input);
  const { plan: capacity } = safePlanCapacity(loadOf(config));
  if (!capacity) throw new Error('the plan for this load is empty');
  const { controlPlane, workers } = machineSpecs(config, capacity, plannedCapacity(capacity));
  const { controlPlane: controlPlaneNodes, network } = planClusterStack(input).plan;
  const [worker] = Object.values(workers);
  const subnet = network.subnets.find(({ role }) => role === 'private');
  if (!worker || !subnet) throw new Error('the plan has no workers');
  const spec: ControlPlaneSpec = {
    ...controlPlane,
    members: alone ? controlPlane.members.slice(0, 1) : controlPlane.members,
    kubelet: { ...controlPlane.kubelet, overrides },
  };
  return {
    vpc: config.network.vpc,
    capacity,
    spec,
    worker: { ...worker, kubelet: { ...worker.kubelet, overrides } },
    workerSubnet: subnet.args.cidrBlock,
    controlPlaneNodes: spec.members.map((member) => {
      const plan = controlPlaneNodes.find((one) => one.member === member.name);
      if (!plan) throw new Error(`the stack has no control plane node ${member.name}`);
      return { plan, member, userData: controlPlaneUserData(spec, member).base64 };
    }),
  };
}
