import { confined, type PartInput } from './part-input';

const port = 9100;

/** Part that exports node metrics: CPU, memory, disks, network, pressure. */
export const nodeMetrics: PartInput = {
  name: 'node-metrics',
  summary:
    'Node: serves node metrics to Prometheus on port 9100; it lives on the node because it reads the kernel, not any pod.',
  injection: 'Required',
  node: {
    daemon: {
      critical: true,
      update: { maxUnavailable: '5%' },
      host: {
        network: true,
        pid: true,
        paths: [{ name: 'root', path: '/', mountPath: '/host', type: 'Directory', followMounts: true }],
      },
      metrics: { port },
      template: {
        spec: {
          containers: [
            {
              name: 'node-exporter',
              image: 'quay.io/prometheus/node-exporter:v1.9.1',
              args: [
                '--path.rootfs=/host',
                '--path.procfs=/host/proc',
                '--path.sysfs=/host/sys',
                `--web.listen-address=:${port}`,
                '--collector.filesystem.mount-points-exclude=^/(dev|proc|sys|run/containerd/.+|var/lib/kubelet/pods/.+)($|/)',
                '--collector.netclass.ignored-devices=^(veth|cali|cni|lxc).*',
                '--collector.netdev.device-exclude=^(veth|cali|cni|lxc).*',
              ],
              ports: [{ name: 'metrics', containerPort: port }],
              resources: { requests: { cpu: '20m', memory: '32Mi' }, limits: { memory: '128Mi' } },
              securityContext: confined(65534),
              livenessProbe: {
                httpGet: { path: '/', port },
                periodSeconds: 15,
                timeoutSeconds: 5,
                failureThreshold: 6,
              },
            },
          ],
        },
      },
    },
  },
};
