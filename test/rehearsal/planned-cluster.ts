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

/** A cluster of 300 nodes as a person describes it, and all that follows for its masters. */
export interface PlannedCluster {
  readonly vpc: string;
  readonly capacity: CapacityPlan;
  readonly spec: ControlPlaneSpec;
  /** Machines of a pool, and the block of a subnet that they are in. */
  readonly worker: WorkerSpec;
  readonly workerSubnet: string;
  /** Masters as the stack makes them, with what each is started with. */
  readonly masters: readonly {
    readonly plan: ControlPlaneMachinePlan;
    readonly member: Member;
    readonly userData: string;
  }[];
}

/** People log in by an issuer, which nobody can reach in a rehearsal. */
const oidc: ClusterInput['oidc'] = {
  issuer: 'https://login.example.com',
  clientId: 'kubernetes',
  adminGroups: ['platform'],
  observerGroups: ['performance'],
};

/** The machine of a rehearsal may have the first version of cgroups, that kubelets refuse otherwise. */
const overrides = { failCgroupV1: false };

/**
 * Plans a cluster.
 *
 * @param alone leaves all masters but the first out of it, as one that is to come up without the others; the plan is
 * otherwise that of three
 */
export function plannedCluster(kubernetes: RehearsedVersion, alone: boolean): PlannedCluster {
  const input: ClusterInput = { ...plainCluster, oidc, kubernetesVersion: kubernetes };
  const config = parseCluster(input);
  const { plan: capacity } = safePlanCapacity(loadOf(config));
  if (!capacity) throw new Error('there is no plan for this load');
  const { controlPlane, workers } = machineSpecs(config, capacity, plannedCapacity(capacity));
  const { controlPlane: masters, network } = planClusterStack(input).plan;
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
    masters: spec.members.map((member) => {
      const plan = masters.find((one) => one.member === member.name);
      if (!plan) throw new Error(`the stack makes no master ${member.name}`);
      return { plan, member, userData: controlPlaneUserData(spec, member).base64 };
    }),
  };
}
