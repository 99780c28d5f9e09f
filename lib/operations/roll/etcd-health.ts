import { isPlainObject } from '../../api';
import { type DatabaseHealth } from './observed-cluster';

/** Responses of an etcd member to `/health` and `/metrics`. */
export interface EtcdHealthResponses {
  readonly health: string;
  readonly metrics: string;
}

/** Parses the health of an etcd member (etcd 3.5 and 3.6). */
export function readEtcdHealth(database: string, { health, metrics }: EtcdHealthResponses): DatabaseHealth {
  const { isHealthy, reason } = readHealth(health);
  const value = (name: string): number => gauge(metrics, name);
  const alarms = reason.startsWith('ALARM ') ? [reason.slice('ALARM '.length)] : [];
  const unhealthyReason = isHealthy ? (value('etcd_server_has_leader') === 0 ? 'no leader' : undefined) : reason;
  return {
    database,
    ...(unhealthyReason !== undefined && { unhealthyReason }),
    alarms,
    learner: value('etcd_server_is_learner') === 1,
    leader: value('etcd_server_is_leader') === 1,
    committed: value('etcd_server_proposals_committed_total'),
    applied: value('etcd_server_proposals_applied_total'),
  };
}

/** Returns the health of an unreachable member. */
export const unreachableMember = (database: string, unhealthyReason: string): DatabaseHealth => ({
  database,
  unhealthyReason,
  alarms: [],
  learner: false,
  leader: false,
  committed: 0,
  applied: 0,
});

function readHealth(text: string): { readonly isHealthy: boolean; readonly reason: string } {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isPlainObject(parsed))
      return { isHealthy: parsed['health'] === 'true', reason: String(parsed['reason'] || 'unknown reason') };
  } catch {
    // The text is returned as the reason.
  }
  return { isHealthy: false, reason: text.trim().slice(0, 200) || 'empty response' };
}

/** Returns the value of a metric without labels; 0 if it is missing. */
function gauge(metrics: string, name: string): number {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics);
  return found ? Number(found[1]) : 0;
}
