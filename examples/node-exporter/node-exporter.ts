/**
 * The Prometheus node exporter on every node. Daemons access the machine, so they are allowed only in infrastructure
 * projects: the Project sets which host resources its daemons can use, and the daemon requests only what it needs.
 */
import { Chart } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestDaemon, Project } from '@pinion-platform/pinion';

/** Adds a chart with the project and its daemon. */
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
    // The exporter of the runtime profile uses port 9100 on each node.
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
