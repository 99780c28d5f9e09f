import { jobs } from '../promql';
import { type AlertGroup } from './alert';
import { apiServerMetricStep, readyzStep } from './diagnosis-steps';
import { gatewayCapacityAlerts } from './gateway-capacity';
import { gatewayLogStep, gatewayMetricStep, gatewayPodsStep } from './gateway-steps';

const job = jobs.gateway;
const apiServer = readyzStep('whether the API server is ready');
const failures = gatewayMetricStep('which watches of the API server fail', 'pinion_gateway_watch_failures_total');
const certificate = {
  check: 'who issued the serving certificate, and when it expires',
  command:
    "kubectl -n pinion-gateway get secret pinion-gateway-tls -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -noout -issuer -enddate",
};
const authorities = {
  check: 'the authorities that clients trust, and when they expire',
  command:
    "kubectl get platforms -o jsonpath='{.items[0].spec.gateway.certificateAuthority}' | openssl storeutl -noout -text -certs /dev/stdin | grep -E 'Subject:|Not After'",
};
const withdraw =
  'If that takes long, set `spec.gateway.stage` of the Platform to `Off` and restart the workloads that need the API server: those without `apiAccess: Gateway` then connect to it directly.';
const expiresWithin = (days: number): string =>
  `min by (cluster, certificate) (pinion_gateway_certificate_expiry_timestamp_seconds{${job}}) - time() < ${days} * 86400`;

/** Alerts on the gateway to the API server. */
export const gatewayAlerts: AlertGroup = {
  name: 'pinion-gateway',
  alerts: [
    {
      name: 'PinionGatewayDown',
      owner: 'platform',
      summary: 'No gateway to the API server is ready.',
      description: 'No gateway has been ready for 5 minutes.',
      impact:
        'Clients that are led to the gateway cannot reach the API server. Running containers, scheduling and all other clients are not affected.',
      diagnosis: [gatewayPodsStep, gatewayLogStep, apiServer],
      mitigation: `If the pods wait for the Secret \`pinion-gateway-tls\`, create it. If the API server is not ready, see KubeAPIDown; gateways become ready by themselves afterwards. ${withdraw} In a cluster without a gateway, omit its alerts with \`pinion rules --without pinion-gateway\`.`,
      conditions: [{ severity: 'critical', for: '5m', expr: `absent(pinion_gateway_ready{${job}} == 1)` }],
    },
    {
      name: 'PinionGatewayReplicasLow',
      owner: 'platform',
      summary: 'Fewer gateways are ready than the Platform states.',
      description: '{{ $value }} gateways are ready.',
      impact: 'They have the load of the others, too, and clients may lose the API server with the next one.',
      diagnosis: [
        gatewayPodsStep,
        gatewayLogStep,
        { check: 'whether its pods fit on a node', command: 'pinion nodes' },
      ],
      mitigation:
        'Add nodes if its pods are pending. If one is not ready, its readiness probe names the resource about which the API server says nothing. If they are ready, Prometheus does not scrape them: see docs/observability.md.',
      conditions: [
        {
          severity: 'warning',
          for: '15m',
          expr: `sum by (cluster) (pinion_gateway_ready{${job}}) < max by (cluster) (pinion_gateway_desired_replicas{${job}})`,
        },
      ],
    },
    {
      name: 'PinionGatewayCacheStale',
      owner: 'platform',
      summary: 'A cache of a gateway is too old to answer.',
      description:
        'Gateway {{ $labels.instance }} has heard nothing about {{ $labels.resource }} for {{ $value | humanizeDuration }}.',
      impact:
        'The cache does not answer, its watches have ended, and the gateway is not ready. Clients continue at another gateway.',
      diagnosis: [
        failures,
        gatewayLogStep,
        apiServerMetricStep('whether the watch cache of the API server works', 'apiserver_watch_cache_initializations'),
      ],
      mitigation:
        'If only one gateway is affected, delete its pod. If all are, repair the API server or the network between them; the caches follow by themselves.',
      conditions: [
        {
          severity: 'warning',
          for: '2m',
          expr: `max by (cluster, instance, resource) (pinion_gateway_cache_age_seconds{${job}}) > 90`,
        },
      ],
    },
    {
      name: 'PinionGatewayWatchFailures',
      owner: 'platform',
      summary: 'Watches of gateways are failing.',
      description: '{{ $value | humanize }} watches of {{ $labels.resource }} failed or ended early in 15 minutes.',
      impact:
        'The watches of clients may end with them, which then list again. For roles, bindings and service accounts, revocation acts late.',
      diagnosis: [failures, gatewayLogStep, apiServer],
      mitigation:
        'For 403, apply the output of `pinion install --image IMAGE` of this version. If watches end early again and again, look for what closes connections to the API server, or for a custom resource definition that keeps changing.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: `sum by (cluster, resource) (increase(pinion_gateway_watch_failures_total{${job}}[15m])) > 10`,
        },
      ],
    },
    {
      name: 'PinionGatewayCertificateExpiring',
      owner: 'platform',
      summary: 'A certificate of the gateway expires soon.',
      description: 'The {{ $labels.certificate }} certificate expires in {{ $value | humanizeDuration }}.',
      impact: 'After that, no client connects to the gateway.',
      diagnosis: [certificate, authorities, gatewayLogStep],
      mitigation:
        'Replace the Secret `pinion-gateway-tls` by a new certificate; gateways present it within two minutes. An authority needs an overlap: see "Rotation" in docs/gateway.md.',
      conditions: [
        { severity: 'warning', for: '15m', expr: expiresWithin(21) },
        { severity: 'critical', for: '15m', expr: expiresWithin(3) },
      ],
    },
    {
      name: 'PinionGatewayCertificateUntrusted',
      owner: 'platform',
      summary: 'Clients do not trust the certificate of a gateway.',
      description: 'No authority of the Platform issued the certificate of gateway {{ $labels.instance }}.',
      impact: 'Clients that start from now on cannot connect to it.',
      diagnosis: [certificate, authorities, gatewayLogStep],
      mitigation:
        'Add the certificate of its authority to `spec.gateway.certificateAuthority` of the Platform, beside the others, or put the former certificate back into the Secret.',
      conditions: [
        {
          severity: 'critical',
          for: '5m',
          expr: `min by (cluster, instance) (pinion_gateway_certificate_trusted{${job}}) == 0`,
        },
      ],
    },
    ...gatewayCapacityAlerts,
  ],
};
