import { isPlainObject } from '../../api';
import { type DatabaseHealth } from './observed';

/** What a member of etcd says at `/health` and `/metrics` of its metrics port. */
export interface EtcdAnswers {
  readonly health: string;
  readonly metrics: string;
}

/** Reads what a member says of itself (etcd 3.5 and 3.6). */
export function readEtcdHealth(database: string, { health, metrics }: EtcdAnswers): DatabaseHealth {
  const { isHealthy, reason } = readHealth(health);
  const value = (name: string): number => gauge(metrics, name);
  const alarms = reason.startsWith('ALARM ') ? [reason.slice('ALARM '.length)] : [];
  const illness = isHealthy ? (value('etcd_server_has_leader') === 0 ? 'it knows no leader' : undefined) : reason;
  return {
    database,
    ...(illness !== undefined && { illness }),
    alarms,
    learner: value('etcd_server_is_learner') === 1,
    leader: value('etcd_server_is_leader') === 1,
    committed: value('etcd_server_proposals_committed_total'),
    applied: value('etcd_server_proposals_applied_total'),
  };
}

/** A member that does not answer. */
export const silentMember = (database: string, illness: string): DatabaseHealth => ({
  database,
  illness,
  alarms: [],
  learner: false,
  leader: false,
  committed: 0,
  applied: 0,
});

function readHealth(text: string): { readonly isHealthy: boolean; readonly reason: string } {
  try {
    const said: unknown = JSON.parse(text);
    if (isPlainObject(said))
      return { isHealthy: said['health'] === 'true', reason: String(said['reason'] || 'it does not say why') };
  } catch {
    // Shown as it is.
  }
  return { isHealthy: false, reason: text.trim().slice(0, 200) || 'an empty answer' };
}

/** The value of a metric without labels in the text format; 0 where there is none. */
function gauge(metrics: string, name: string): number {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics);
  return found ? Number(found[1]) : 0;
}
