import { apiVersion, parseManifest, type ManifestInput, type Workload } from '../../../lib/api';
import { resolvePlatform, safeExpand } from '../../../lib/expand';

type Fields = Readonly<Record<string, unknown>>;

const app = { name: 'app', image: 'registry.example.com/cart:1.0.0' };
const probeOf = (port: number | string) => ({ httpGet: { port } });
const serving = { ...app, ports: [{ name: 'http', containerPort: 8080 }], livenessProbe: probeOf(8080) };
const sidecar = { name: 'proxy', image: 'registry.example.com/proxy:1.0.0' };
const command = { exec: { command: ['curl', 'localhost:8080'] } };

/** Returns the paths of the warnings about a service with a load balancer. */
function warningsOf(pod: Fields, spec: Fields = {}): readonly string[] {
  const input = {
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { loadBalancer: { port: 80, targetPort: 8080 }, template: { spec: pod }, ...spec },
  };
  const workload = parseManifest(input as unknown as ManifestInput) as Workload;
  const { problems } = safeExpand(workload, resolvePlatform([]).project('shop'));
  return problems.flatMap(({ rule, path }) => (rule === 'load-balancer-readiness' ? [path.slice(3).join('.')] : []));
}

describe('a load balancer', () => {
  test.each<[string, Fields, string]>([
    ['of one container', { containers: [serving] }, 'containers.0'],
    ['of undeclared ports', { containers: [{ ...app, startupProbe: probeOf(8080) }] }, 'containers.0'],
    [
      'beside a container that is checked',
      { containers: [{ ...sidecar, readinessProbe: probeOf(9090) }, serving] },
      'containers.1',
    ],
    [
      'of a sidecar that starts first',
      {
        containers: [{ ...app, readinessProbe: probeOf(9090) }],
        initContainers: [{ ...serving, name: 'proxy', restartPolicy: 'Always' }],
      },
      'initContainers.0',
    ],
  ])('%s without a readiness probe is a warning', (_, pod, path) => {
    expect(warningsOf(pod)).toEqual([`${path}.readinessProbe`]);
  });

  test.each<[string, Fields, Fields?]>([
    ['has a readiness probe', { containers: [{ ...serving, readinessProbe: probeOf('http') }] }],
    ['is checked by another container', { containers: [{ ...sidecar, readinessProbe: probeOf(8080) }, serving] }],
    ['is checked by a command', { containers: [{ ...sidecar, readinessProbe: command }, serving] }],
    ['waits for a readiness gate', { containers: [serving], readinessGates: [{ conditionType: 'example.com/ready' }] }],
    ['has no probe at all', { containers: [{ ...app, ports: [{ containerPort: 8080 }] }] }],
    [
      'is beside a container with a liveness probe',
      {
        containers: [
          { ...app, ports: [{ containerPort: 8080 }] },
          { ...sidecar, livenessProbe: probeOf(9090) },
        ],
      },
    ],
    ['has spec.health', { containers: [serving] }, { health: {} }],
    ['does not exist', { containers: [serving] }, { loadBalancer: undefined }],
  ])('is no warning if what it routes to %s', (_, pod, spec = {}) => {
    expect(warningsOf(pod, spec)).toEqual([]);
  });
});
