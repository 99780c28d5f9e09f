/**
 * Prometheus's node exporter on every node. Daemons see the machine, so they live only in infrastructure projects:
 * the Project says how far its daemons may reach, and the daemon asks for no more than that.
 */
import { Chart } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestDaemon, Project } from 'pinion';

/** Places the project and its daemon as one chart. */
export function nodeExporter(scope: Construct): Chart {
  const chart = new Chart(scope, 'node-exporter');
  new Project(chart, 'monitoring', {
    team: 'observability',
    onCall: '#observability-oncall',
    infrastructure: true,
    podSecurity: 'privileged',
    host: { network: true, pid: true, paths: ['/'] },
    members: [{ kind: 'Group', name: 'observability', role: 'admin' }],
  });
  new PinterestDaemon(chart, 'node-exporter', {
    project: 'monitoring',
    critical: true,
    links: { repository: 'https://github.com/prometheus/node_exporter' },
    host: {
      network: true,
      pid: true,
      paths: [{ name: 'root', path: '/', mountPath: '/host', readOnly: true, followMounts: true }],
    },
    // The runtime profile's own exporter has port 9100 of each node.
    metrics: { port: 9110 },
    nodeBudget: { cpu: '250m', memory: '300Mi' },
    update: { maxUnavailable: '10%' },
    template: {
      spec: {
        securityContext: { runAsUser: 65534, runAsGroup: 65534, runAsNonRoot: true },
        containers: [
          {
            name: 'exporter',
            image: 'quay.io/prometheus/node-exporter:v1.9.1',
            args: [
              '--path.rootfs=/host',
              '--web.listen-address=:9110',
              '--collector.filesystem.mount-points-exclude=^/(dev|proc|sys|run/k3s/containerd/.+|var/lib/kubelet/.+)($|/)',
            ],
            ports: [{ name: 'metrics', containerPort: 9110 }],
            readinessProbe: { httpGet: { path: '/', port: 'metrics' } },
            resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    },
  });
  return chart;
}
