import { appKinds, hardened, type PartInput } from './part-input';

const statsdPort = 8125;
const webPort = 19102;

/** Part that exposes metrics pushed by the app in the Prometheus format. */
export const metrics: PartInput = {
  name: 'metrics',
  summary:
    "Pod: receives StatsD metrics on the pod's loopback and serves them to Prometheus; it lives in the pod so that pushes do not depend on the network and carry the pod's name. Exits on SIGTERM immediately.",
  injection: 'OptOut',
  kinds: [...appKinds],
  after: ['configuration'],
  settings: {
    level: {
      values: ['error', 'warn', 'info', 'debug'],
      default: 'warn',
      env: 'LOG_LEVEL',
      summary: 'Log level.',
    },
  },
  pod: {
    sidecars: [
      hardened(
        {
          name: 'pinion-metrics',
          image: 'quay.io/prometheus/statsd-exporter:v0.28.0',
          args: [
            '--log.level=$(LOG_LEVEL)',
            `--statsd.listen-udp=127.0.0.1:${statsdPort}`,
            '--statsd.listen-tcp=',
            `--web.listen-address=:${webPort}`,
          ],
          ports: [{ name: 'pinion-metrics', containerPort: webPort }],
          startupProbe: { httpGet: { path: '/-/ready', port: webPort }, periodSeconds: 1, failureThreshold: 60 },
          livenessProbe: {
            httpGet: { path: '/-/healthy', port: webPort },
            periodSeconds: 15,
            timeoutSeconds: 5,
            failureThreshold: 6,
          },
        },
        { cpu: 10, memory: 32, memoryLimit: 96 },
        65534,
      ),
    ],
    env: [
      { name: 'STATSD_HOST', value: '127.0.0.1' },
      { name: 'STATSD_PORT', value: String(statsdPort) },
    ],
  },
};
