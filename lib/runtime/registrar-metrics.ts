import { type ReadinessProbe } from './readiness-probe';
import { type Registration } from './registration';
import { type ZookeeperSession } from './zookeeper/zookeeper-session';

/** Parts of a registrar. */
export interface RegistrarDeps {
  readonly registration: Registration;
  readonly probe: ReadinessProbe;
  readonly session: ZookeeperSession;
}

/** Returns the metrics of a registrar in the Prometheus text format. */
export function registrarMetrics({ registration, probe, session }: RegistrarDeps): string {
  const prefix = 'pinion_registrar';
  const lines: string[] = [];
  const add = (type: 'gauge' | 'counter', name: string, help: string, value: number | boolean): void => {
    lines.push(`# HELP ${prefix}_${name} ${help}`, `# TYPE ${prefix}_${name} ${type}`);
    lines.push(`${prefix}_${name} ${Number(value)}`);
  };
  add('gauge', 'app_ready', 'Whether the app is ready.', probe.isReady === true);
  add('gauge', 'registered', 'Whether the pod is registered.', registration.state === 'present');
  add('gauge', 'connected', 'Whether the registrar is connected to ZooKeeper.', session.isConnected);
  add('counter', 'readiness_checks_total', 'Readiness checks of the app.', probe.counts.checks);
  add('counter', 'readiness_failures_total', 'Failed readiness checks of the app.', probe.counts.failed);
  add('counter', 'connections_lost_total', 'Lost connections to ZooKeeper.', session.counts.lost);
  add('counter', 'sessions_expired_total', 'Expired ZooKeeper sessions.', session.counts.expired);
  add('counter', 'entries_created_total', 'Created entries.', registration.counts.created);
  add('counter', 'entries_replaced_total', 'Replaced entries of earlier sessions.', registration.counts.replaced);
  add('counter', 'entries_removed_total', 'Entries removed while the app was unready.', registration.counts.removed);
  add('counter', 'changes_refused_total', 'Changes that ZooKeeper rejected.', registration.counts.failed);
  return `${lines.join('\n')}\n`;
}
