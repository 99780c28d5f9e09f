import { apiServerPlan } from './api-server';
import { autoscalerPlan, autoscalerResources } from './autoscaler';
import { clientRates } from './client-rates';
import { etcdPlan } from './etcd';
import { flagsFor, type PlannedFlags } from './flags';
import { heavyListObjects, levelsWith, seatsOf, type ExemptAccount, type FlowControlObject } from './flow-control';
import { type Load } from './load';
import { masterPlan, memoryRoom, type MasterPlan } from './masters';
import { nodeGroups, type NodeGroupPlan, type NodeGroups } from './node-groups';
import { apiServerEnvironment, eventRateLimit, kubeletRates, type EventRateLimit, type KubeletRates } from './outputs';
import { requestLoad } from './request-load';
import { Sheet, type Values } from './sheet';
import { stormOf } from './storm';

/** A plan before it is known whether machines can carry it. */
export interface PlanDraft {
  readonly load: Load;
  readonly values: Values;
  /** Seats of each priority level in each API server. */
  readonly seats: Readonly<Record<string, number>>;
  /** Objects that cap expensive lists, to be applied. */
  readonly flowControl: readonly FlowControlObject[];
  readonly nodeGroups: readonly NodeGroupPlan[];
  /** Flags by program, without the two dashes; only those that the version has. */
  readonly flags: PlannedFlags;
  readonly kubelet: KubeletRates;
  /** Configuration of the admission plugin EventRateLimit. */
  readonly eventRateLimit: EventRateLimit;
  readonly apiServerEnvironment: Readonly<Record<string, string>>;
  readonly master: MasterPlan;
  readonly impossible: NodeGroups['impossible'];
}

/** The account that pinion's controller runs under unless it was installed elsewhere. */
const controllerAccount: ExemptAccount = { namespace: 'pinion-controller', name: 'pinion-controller' };

/** The plan of a load that is right in itself, whether or not machines can carry it. */
export function planFor(load: Load): PlanDraft {
  const sheet = new Sheet(load.overrides);
  const zones = {
    formula: 'one in each zone',
    inputs: { zones: load.zones.length },
    source: 'one Auto Scaling group of one for each zone',
  };
  const masters = sheet.plan('masters', load.zones.length, zones);
  sheet.plan('etcdMembers', masters, { ...zones, formula: 'one on each master' });
  const requests = requestLoad(load, sheet);
  const rates = clientRates(load, sheet);
  const { groups, impossible } = nodeGroups(load);
  const mostWorkers = autoscalerPlan(load, groups, masters, sheet);
  const storm = stormOf(load, requests, rates, mostWorkers, sheet);
  const etcd = etcdPlan(load, requests, storm, masters, sheet);
  const api = apiServerPlan(load, requests, storm, masters, sheet);
  const master = masterPlan(load, api, etcd, storm, masters, sheet);
  autoscalerResources(groups, master.type, masters, sheet);
  memoryRoom(load, master.type, etcd, storm, sheet);
  const values = sheet.values();
  const heavy = values.heavyListShares.value;
  return {
    load,
    values,
    seats: seatsOf(levelsWith(heavy), api.seats),
    flowControl: heavyListObjects(heavy, [controllerAccount]),
    nodeGroups: groups,
    flags: flagsFor(load, values),
    kubelet: kubeletRates(values),
    eventRateLimit: eventRateLimit(values),
    apiServerEnvironment: apiServerEnvironment(values),
    master,
    impossible,
  };
}
