import { type RuleCase } from './rule-case';
import { grows, type Series, stays } from './series';

const job = 'pinion-clients';
const cart = { job, project: 'shop', account: 'system:serviceaccount:shop:cart', user_agent: 'cart' };
const seats: Series = stays(
  'apiserver_flowcontrol_nominal_limit_seats',
  { job: 'apiserver', instance: 'a', priority_level: 'workload-low' },
  600,
);
const cost = (perSecond: number): Series[] => [
  seats,
  grows('pinion_client_seat_seconds_total', { ...cart, verb: 'list', resource: 'pods' }, perSecond),
];
const finding = (practice: string): Series =>
  stays('pinion_client_findings', { ...cart, practice, on_call: '#shop-oncall', verb: 'list', resource: 'pods' }, 40);

/** Cases of the group pinion-clients. */
export const clientCases: readonly RuleCase[] = [
  { alert: 'PinionClientCostHigh', severity: 'warning', at: 30, fires: cost(120), quiet: cost(60) },
  {
    alert: 'PinionClientViolatesPractice',
    severity: 'info',
    at: 16,
    fires: [finding('Polling')],
    quiet: [finding('DirectAccess')],
  },
  {
    alert: 'PinionClientBypassesGateway',
    severity: 'warning',
    at: 16,
    fires: [finding('DirectAccess')],
    quiet: [finding('Polling')],
  },
  {
    alert: 'PinionClientMonitorDown',
    severity: 'warning',
    at: 16,
    fires: [stays('up', { job, instance: 'control-plane-a' }, 0)],
    quiet: [stays('up', { job, instance: 'control-plane-a' }, 1)],
  },
];
