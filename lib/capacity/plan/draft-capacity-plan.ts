import { apiServerPlan } from '../sizing/api-server-plan';
import { autoscalerPlan, autoscalerResources } from '../sizing/autoscaler-plan';
import { clientRates } from '../sizing/client-rates';
import { etcdPlan } from '../sizing/etcd-plan';
import { flagsFor, type PlannedFlags } from '../flags/planned-flags';
import {
  heavyListObjects,
  planLevels,
  seatsOf,
  type ExemptAccount,
  type FlowControlObject,
} from '../sizing/flow-control';
import { type Load } from '../load/load';
import {
  planControlPlaneNodes,
  planApiServerMemory,
  type ControlPlaneNodePlan,
} from '../sizing/plan-control-plane-nodes';
import { nodeGroups, type NodeGroupPlan, type PlannedNodeGroups } from '../sizing/node-groups';
import {
  apiServerEnvironment,
  eventRateLimit,
  kubeletRates,
  type EventRateLimit,
  type KubeletRates,
} from './plan-outputs';
import { requestLoad } from '../sizing/request-load';
import { PlanValues, type Values } from './plan-values';
import { stormOf } from '../sizing/storm';

/** A plan that is not yet checked against available machines. */
export interface PlanDraft {
  readonly load: Load;
  readonly values: Values;
  /** Seats of each priority level in each API server. */
  readonly seats: Readonly<Record<string, number>>;
  /** Objects to apply that limit expensive lists. */
  readonly flowControl: readonly FlowControlObject[];
  readonly nodeGroups: readonly NodeGroupPlan[];
  /** Flags by program, without the two dashes; only those that the version supports. */
  readonly flags: PlannedFlags;
  readonly kubelet: KubeletRates;
  /** Configuration of the admission plugin EventRateLimit. */
  readonly eventRateLimit: EventRateLimit;
  readonly apiServerEnvironment: Readonly<Record<string, string>>;
  readonly controlPlaneNode: ControlPlaneNodePlan;
  readonly impossible: PlannedNodeGroups['impossible'];
}

/** Default service account of pinion's controller. */
const controllerAccount: ExemptAccount = { namespace: 'pinion-controller', name: 'pinion-controller' };

/** Drafts the plan of a valid load, even if no machine can support it. */
export function draftCapacityPlan(load: Load): PlanDraft {
  const figures = new PlanValues(load.overrides);
  const zones = {
    formula: 'one per zone',
    inputs: { zones: load.zones.length },
    source: 'one Auto Scaling group with one node per zone',
  };
  const controlPlaneNodes = figures.plan('controlPlaneNodes', load.zones.length, zones);
  figures.plan('etcdMembers', controlPlaneNodes, { ...zones, formula: 'one per control plane node' });
  const requests = requestLoad(load, figures);
  const rates = clientRates(load, figures);
  const { groups, impossible } = nodeGroups(load);
  const maxWorkers = autoscalerPlan(load, groups, controlPlaneNodes, figures);
  const storm = stormOf(load, requests, rates, maxWorkers, figures);
  const etcd = etcdPlan(load, requests, storm, controlPlaneNodes, figures);
  const api = apiServerPlan(load, requests, storm, controlPlaneNodes, figures);
  const controlPlaneNode = planControlPlaneNodes(load, api, etcd, storm, controlPlaneNodes, figures);
  autoscalerResources(groups, controlPlaneNode.type, controlPlaneNodes, figures);
  planApiServerMemory(load, controlPlaneNode.type, etcd, storm, figures);
  const values = figures.values();
  const heavy = values.heavyListShares.value;
  return {
    load,
    values,
    seats: seatsOf(planLevels(heavy), api.seats),
    flowControl: heavyListObjects(heavy, [controllerAccount]),
    nodeGroups: groups,
    flags: flagsFor(load, values),
    kubelet: kubeletRates(values),
    eventRateLimit: eventRateLimit(values),
    apiServerEnvironment: apiServerEnvironment(values),
    controlPlaneNode,
    impossible,
  };
}
