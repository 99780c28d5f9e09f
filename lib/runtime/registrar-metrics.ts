import { type ReadinessWatch } from './readiness-watch';
import { type Registration } from './registration';
import { type ZookeeperSession } from './zookeeper-session';

/** What a registrar is made of. */
export interface RegistrarParts {
  readonly registration: Registration;
  readonly watch: ReadinessWatch;
  readonly session: ZookeeperSession;
}

/** Metrics of a registrar, in the text format of Prometheus. */
export function registrarMetrics({ registration, watch, session }: RegistrarParts): string {
  const prefix = 'pinion_registrar';
  const lines: string[] = [];
  const add = (type: 'gauge' | 'counter', name: string, help: string, value: number | boolean): void => {
    lines.push(`# HELP ${prefix}_${name} ${help}`, `# TYPE ${prefix}_${name} ${type}`);
    lines.push(`${prefix}_${name} ${Number(value)}`);
  };
  add('gauge', 'app_ready', 'Whether the app is judged ready.', watch.isReady === true);
  add('gauge', 'registered', 'Whether the entry is known to be there.', registration.standing === 'present');
  add('gauge', 'connected', 'Whether there is a connection to ZooKeeper.', session.isConnected);
  add('counter', 'readiness_checks_total', 'Questions to the app.', watch.counts.asked);
  add('counter', 'readiness_failures_total', 'Questions that the app did not answer well.', watch.counts.failed);
  add('counter', 'connections_lost_total', 'Connections to ZooKeeper that ended.', session.counts.lost);
  add('counter', 'sessions_expired_total', 'Sessions that ZooKeeper ended.', session.counts.expired);
  add('counter', 'entries_created_total', 'Entries made.', registration.counts.created);
  add('counter', 'entries_replaced_total', 'Entries of earlier sessions replaced.', registration.counts.replaced);
  add('counter', 'entries_removed_total', 'Entries removed while the app was not ready.', registration.counts.removed);
  add('counter', 'changes_refused_total', 'Changes that ZooKeeper refused.', registration.counts.failed);
  return `${lines.join('\n')}\n`;
}
