import { clientMonitorPorts } from '@pinion-platform/pinion';
import { type Flags } from './control-plane-spec';

/** Kubeconfig of the audit webhook: the client monitor on the same machine. Events never leave it, so there is no TLS. */
export const auditWebhook = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'client-monitor', cluster: { server: `http://127.0.0.1:${clientMonitorPorts.events}/events` } }],
  users: [{ name: 'kube-apiserver' }],
  contexts: [{ name: 'client-monitor', context: { cluster: 'client-monitor', user: 'kube-apiserver' } }],
  'current-context': 'client-monitor',
} as const;

/**
 * Returns the flags of the audit webhook, with the path of its kubeconfig. No request waits for it: events are buffered,
 * and dropped when the buffer is full. Without the monitor, a batch is dropped within a second, so that few are in memory;
 * Kubernetes' first delay of ten seconds would keep all batches of more than a minute. Batches are split before the monitor
 * rejects them for their size, with the events of all clients in them.
 */
export const auditWebhookFlags = (path: string): Flags => ({
  'audit-webhook-config-file': path,
  'audit-webhook-mode': 'batch',
  'audit-webhook-batch-buffer-size': '10000',
  'audit-webhook-batch-max-size': '1000',
  'audit-webhook-batch-max-wait': '2s',
  'audit-webhook-batch-throttle-enable': 'true',
  'audit-webhook-batch-throttle-qps': '10',
  'audit-webhook-batch-throttle-burst': '10',
  'audit-webhook-initial-backoff': '100ms',
  'audit-webhook-truncate-enabled': 'true',
  'audit-webhook-truncate-max-batch-size': '10485760',
  'audit-webhook-truncate-max-event-size': '8388608',
});
