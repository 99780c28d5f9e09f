/**
 * Google's Online Boutique, release 0.10.6: eleven services, one of them a load generator, and the Redis that stores the
 * carts. Each workload sets only what differs from the defaults and lists its callers; only the frontend is exposed to the
 * internet.
 */
import { Chart } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestService, PinterestStatefulSet, Project, type PinterestServiceProps } from '@pinion-platform/pinion';

const project = 'online-boutique';
const links = { repository: 'https://github.com/GoogleCloudPlatform/microservices-demo' };
const imageOf = (name: string) => `us-central1-docker.pkg.dev/online-boutique-ci/microservices-demo/${name}:v0.10.6`;

/** Properties in which the gRPC services differ. */
interface Part {
  readonly port: number;
  /** Port that the container listens on. @default - same as port */
  readonly targetPort?: number;
  /** Whether the program has a fixed port instead of reading PORT. @default false */
  readonly fixedPort?: boolean;
  /** Names of services that are allowed to call it. */
  readonly callers: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cpu?: string;
  readonly memory?: readonly [request: string, limit: string];
  /** Seconds until the first health check. @default 0 */
  readonly startsIn?: number;
}

const address = {
  AD_SERVICE_ADDR: 'adservice:9555',
  CART_SERVICE_ADDR: 'cartservice:7070',
  CHECKOUT_SERVICE_ADDR: 'checkoutservice:5050',
  CURRENCY_SERVICE_ADDR: 'currencyservice:7000',
  EMAIL_SERVICE_ADDR: 'emailservice:5000',
  PAYMENT_SERVICE_ADDR: 'paymentservice:50051',
  PRODUCT_CATALOG_SERVICE_ADDR: 'productcatalogservice:3550',
  RECOMMENDATION_SERVICE_ADDR: 'recommendationservice:8080',
  SHIPPING_SERVICE_ADDR: 'shippingservice:50051',
} as const;

/** Returns the addresses of the services that a container calls. */
const calls = (...names: readonly (keyof typeof address)[]) =>
  Object.fromEntries(names.map((name) => [name, address[name]]));

const quiet = { DISABLE_PROFILER: '1' };
const catalog = calls('PRODUCT_CATALOG_SERVICE_ADDR');

/** The nine gRPC services. */
const parts: Readonly<Record<string, Part>> = {
  adservice: { port: 9555, callers: ['frontend'], cpu: '200m', memory: ['180Mi', '300Mi'], startsIn: 20 },
  cartservice: {
    port: 7070,
    fixedPort: true,
    callers: ['frontend', 'checkoutservice'],
    env: { REDIS_ADDR: 'redis-cart:6379' },
    cpu: '200m',
    startsIn: 15,
  },
  checkoutservice: {
    port: 5050,
    callers: ['frontend'],
    env: {
      ...calls('CART_SERVICE_ADDR', 'CURRENCY_SERVICE_ADDR', 'EMAIL_SERVICE_ADDR'),
      ...calls('PAYMENT_SERVICE_ADDR', 'PRODUCT_CATALOG_SERVICE_ADDR', 'SHIPPING_SERVICE_ADDR'),
    },
  },
  currencyservice: { port: 7000, callers: ['frontend', 'checkoutservice'], env: quiet },
  emailservice: { port: 5000, targetPort: 8080, callers: ['checkoutservice'], env: quiet },
  paymentservice: { port: 50051, callers: ['checkoutservice'], env: quiet },
  productcatalogservice: {
    port: 3550,
    callers: ['frontend', 'checkoutservice', 'recommendationservice'],
    env: quiet,
  },
  recommendationservice: {
    port: 8080,
    callers: ['frontend'],
    env: { ...quiet, ...catalog },
    memory: ['220Mi', '450Mi'],
  },
  shippingservice: { port: 50051, callers: ['frontend', 'checkoutservice'], env: quiet },
};

const listed = (env: Readonly<Record<string, string>>) => Object.entries(env).map(([name, value]) => ({ name, value }));
const podSecurity = { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 };
const readOnly = { readOnlyRootFilesystem: true };

function grpcService(name: string, part: Part): PinterestServiceProps {
  const { port, targetPort = port, fixedPort = false, callers, env = {}, startsIn } = part;
  const { cpu = '100m', memory = ['64Mi', '128Mi'] } = part;
  const probe = { grpc: { port: targetPort }, ...(startsIn !== undefined && { initialDelaySeconds: startsIn }) };
  const container = {
    name: 'server',
    image: imageOf(name),
    ports: [{ name: 'grpc', containerPort: targetPort }],
    env: listed({ ...(!fixedPort && { PORT: String(targetPort) }), ...env }),
    readinessProbe: probe,
    livenessProbe: probe,
    resources: { requests: { cpu, memory: memory[0] }, limits: { memory: memory[1] } },
    securityContext: readOnly,
  };
  return {
    project,
    links,
    loadBalancer: { port, targetPort, protocol: 'GRPC', exposure: 'Cluster' },
    access: { from: callers.map((workload) => ({ workload, ports: [targetPort] })) },
    template: { spec: { securityContext: podSecurity, containers: [container] } },
  };
}

/** Adds a chart with the shop. */
export function onlineBoutique(scope: Construct): Chart {
  const chart = new Chart(scope, 'online-boutique');
  // The frontend's tier preempts others, so that the project must list it.
  new Project(chart, project, { team: project, tiers: ['critical'] });
  for (const [name, part] of Object.entries(parts)) new PinterestService(chart, name, grpcService(name, part));
  frontend(chart);
  cartStore(chart);
  loadGenerator(chart);
  return chart;
}

function frontend(chart: Chart): void {
  // The frontend identifies visitors by this cookie; without it, every probe would count as a new visitor.
  const probeAs = (visitor: string) => ({
    httpGet: { path: '/_healthz', port: 8080, httpHeaders: [{ name: 'Cookie', value: `shop_session-id=${visitor}` }] },
    initialDelaySeconds: 10,
  });
  const { EMAIL_SERVICE_ADDR: _email, PAYMENT_SERVICE_ADDR: _payment, ...called } = address;
  new PinterestService(chart, 'frontend', {
    project,
    links,
    tier: 'critical',
    autoscaling: { minReplicas: 2, maxReplicas: 10, cpu: 70 },
    loadBalancer: { port: 80, targetPort: 8080, exposure: 'External' },
    access: { from: [{ workload: 'loadgenerator', ports: [8080] }] },
    template: {
      spec: {
        securityContext: podSecurity,
        containers: [
          {
            name: 'server',
            image: imageOf('frontend'),
            ports: [{ name: 'http', containerPort: 8080 }],
            env: listed({
              PORT: '8080',
              ENABLE_PROFILER: '0',
              SHOPPING_ASSISTANT_SERVICE_ADDR: 'shoppingassistantservice:80',
              ...called,
            }),
            readinessProbe: probeAs('x-readiness-probe'),
            livenessProbe: probeAs('x-liveness-probe'),
            resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
            securityContext: readOnly,
          },
        ],
      },
    },
  });
}

/** Unlike in the original demo, carts survive a restart: this Redis has a volume and an append-only file. */
function cartStore(chart: Chart): void {
  const probe = { tcpSocket: { port: 6379 }, periodSeconds: 5 };
  new PinterestStatefulSet(chart, 'redis-cart', {
    project,
    links,
    volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
    loadBalancer: { port: 6379, protocol: 'TCP', exposure: 'Cluster' },
    access: { from: [{ workload: 'cartservice', ports: [6379] }] },
    template: {
      spec: {
        securityContext: podSecurity,
        containers: [
          {
            name: 'redis',
            image: 'docker.io/library/redis:8.2.1-alpine',
            args: ['redis-server', '--appendonly', 'yes'],
            ports: [{ name: 'redis', containerPort: 6379 }],
            readinessProbe: probe,
            livenessProbe: probe,
            resources: { requests: { cpu: '70m', memory: '200Mi' }, limits: { memory: '256Mi' } },
            securityContext: readOnly,
          },
        ],
      },
    },
  });
}

function loadGenerator(chart: Chart): void {
  const target = { name: 'FRONTEND_ADDR', value: 'frontend:80' };
  new PinterestService(chart, 'loadgenerator', {
    project,
    links,
    tier: 'best-effort',
    replicas: 1,
    access: { from: [] },
    template: {
      spec: {
        securityContext: podSecurity,
        initContainers: [
          {
            name: 'frontend-answers',
            image: 'docker.io/library/busybox:1.37.0',
            command: ['sh', '-c', 'until wget -q -O /dev/null "http://$FRONTEND_ADDR/_healthz"; do sleep 2; done'],
            env: [target],
            securityContext: readOnly,
          },
        ],
        containers: [
          {
            name: 'main',
            image: imageOf('loadgenerator'),
            env: [target, { name: 'USERS', value: '10' }, { name: 'RATE', value: '1' }],
            resources: { requests: { cpu: '300m', memory: '256Mi' }, limits: { memory: '512Mi' } },
            securityContext: readOnly,
          },
        ],
      },
    },
  });
}
