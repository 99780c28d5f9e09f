import { type AlertGroup } from '../alert';

const registrarLog = {
  look: 'what the registrar says',
  command: 'kubectl -n PROJECT logs POD -c pinion-traffic --tail=50',
};
const zookeeper = {
  look: 'whether it has a connection to the ensemble',
  command: 'kubectl get --raw /api/v1/namespaces/PROJECT/pods/POD:19106/proxy/metrics',
};
const app = { look: 'whether the pod is ready', command: 'kubectl -n PROJECT get pod POD' };

/** The registrar beside workloads. */
export const registrarAlerts: AlertGroup = {
  name: 'pinion-registrar',
  alerts: [
    {
      name: 'PinionRegistrarUnregistered',
      owner: 'platform',
      summary: 'An app is ready and not registered.',
      description: 'Pod {{ $labels.namespace }}/{{ $labels.pod }} is ready and has had no entry for 5 minutes.',
      means: 'Clients that find it by ZooKeeper do not see this pod; the others take its share.',
      checks: [registrarLog, zookeeper, app],
      mend: 'Without a connection: mend the ensemble or the way to it. Refused changes: see PinionRegistrarChangesRefused.',
      when: [
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
      summary: 'Many registrars have no connection to ZooKeeper.',
      description: '{{ $value | humanizePercentage }} of the registrars have no connection.',
      means: 'Their entries go once their sessions end; new pods get no traffic.',
      checks: [
        zookeeper,
        registrarLog,
        { look: 'whether a network policy closed the way', command: 'kubectl get networkpolicies -A' },
      ],
      mend: 'Mend the ensemble; registrars connect again by themselves and replace their entries.',
      when: [
        {
          severity: 'critical',
          for: '5m',
          expr: '1 - avg by (cluster) (pinion_registrar_connected) > 0.2',
        },
      ],
    },
    {
      name: 'PinionRegistrarSessionsExpire',
      owner: 'platform',
      summary: 'ZooKeeper ends the sessions of registrars again and again.',
      description: '{{ $value | humanize }} sessions of pods of {{ $labels.namespace }} were ended in an hour.',
      means: 'Each time the entry is gone for a moment, and clients lose the pod.',
      checks: [
        registrarLog,
        { look: 'whether the pods are throttled', command: 'kubectl -n PROJECT top pods --containers' },
        zookeeper,
      ],
      mend: 'Give the registrar CPU in the runtime profile, or a longer session.',
      when: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, namespace) (increase(pinion_registrar_sessions_expired_total[1h])) > 5',
        },
      ],
    },
    {
      name: 'PinionRegistrarChangesRefused',
      owner: 'platform',
      summary: 'ZooKeeper refuses what registrars write.',
      description: '{{ $value | humanize }} changes of pods of {{ $labels.namespace }} were refused in 15 minutes.',
      means: 'Entries are missing or old.',
      checks: [registrarLog, { look: 'who may write there', command: 'zkCli.sh -server HOST getAcl /PATH' }, app],
      mend: 'Give the account of the registrar the right to create below its path, or correct the path in the Platform.',
      when: [
        {
          severity: 'warning',
          expr: 'sum by (cluster, namespace) (increase(pinion_registrar_changes_refused_total[15m])) > 3',
        },
      ],
    },
  ],
};
