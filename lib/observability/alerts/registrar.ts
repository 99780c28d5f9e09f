import { type AlertGroup } from './alert';

const registrarLog = {
  check: 'the log of the registrar',
  command: 'kubectl -n PROJECT logs POD -c pinion-traffic --tail=50',
};
const zookeeper = {
  check: 'whether the registrar is connected to the ensemble',
  command: 'kubectl get --raw /api/v1/namespaces/PROJECT/pods/POD:19106/proxy/metrics',
};
const app = { check: 'whether the pod is ready', command: 'kubectl -n PROJECT get pod POD' };

/** Alerts on the registrars that run next to workloads. */
export const registrarAlerts: AlertGroup = {
  name: 'pinion-registrar',
  alerts: [
    {
      name: 'PinionPodNotRegistered',
      owner: 'platform',
      summary: 'A ready pod is not registered in ZooKeeper.',
      description: 'Pod {{ $labels.namespace }}/{{ $labels.pod }} is ready but has not been registered for 5 minutes.',
      impact:
        'Clients that discover the service through ZooKeeper do not see this pod; the other pods take its share of the traffic.',
      diagnosis: [registrarLog, zookeeper, app],
      mitigation:
        'If the registrar is disconnected, restore the ensemble or the network path to it. If its writes are rejected, see PinionRegistrarWritesRejected.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'pinion_registrar_registered == 0 and pinion_registrar_app_ready == 1',
        },
      ],
    },
    {
      name: 'PinionRegistrarsDisconnected',
      owner: 'platform',
      summary: 'Registrars are disconnected from ZooKeeper.',
      description: '{{ $value | humanizePercentage }} of the registrars are disconnected.',
      impact: 'Their entries disappear when their sessions expire, and new pods receive no traffic.',
      diagnosis: [
        zookeeper,
        registrarLog,
        { check: 'whether a network policy blocks the connection', command: 'kubectl get networkpolicies -A' },
      ],
      mitigation: 'Restore the ensemble; registrars reconnect and rewrite their entries automatically.',
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          expr: '1 - avg by (cluster) (pinion_registrar_connected) > 0.2',
        },
      ],
    },
    {
      name: 'PinionRegistrarSessionsExpiring',
      owner: 'platform',
      summary: 'ZooKeeper sessions of registrars expire repeatedly.',
      description: '{{ $value | humanize }} sessions of pods in {{ $labels.namespace }} expired in an hour.',
      impact: 'Each time, the entry is missing for a moment and clients lose the pod.',
      diagnosis: [
        registrarLog,
        { check: 'whether the pods are CPU-throttled', command: 'kubectl -n PROJECT top pods --containers' },
        zookeeper,
      ],
      mitigation: 'Give the registrar more CPU in the runtime profile, or a longer session timeout.',
      conditions: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, namespace) (increase(pinion_registrar_sessions_expired_total[1h])) > 5',
        },
      ],
    },
    {
      name: 'PinionRegistrarWritesRejected',
      owner: 'platform',
      summary: 'ZooKeeper rejects writes of registrars.',
      description: '{{ $value | humanize }} writes of pods in {{ $labels.namespace }} were rejected in 15 minutes.',
      impact: 'Registrations are missing or stale.',
      diagnosis: [registrarLog, { check: 'the ACL of the path', command: 'zkCli.sh -server HOST getAcl /PATH' }, app],
      mitigation:
        'Grant the account of the registrar permission to create nodes below its path, or correct the path in the Platform.',
      conditions: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, namespace) (increase(pinion_registrar_changes_refused_total[15m])) > 3',
        },
      ],
    },
  ],
};
