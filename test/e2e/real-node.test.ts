import { existsSync, readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { metadataKeys } from '../../lib/api';
import { traffic } from '../../lib/expand/profile/default-profile/traffic';
import { findBinaries } from '../control-plane/binaries';
import { waitFor } from '../control-plane/wait-for';
import { imageNames } from '../real-node/node-images';
import { nodePrograms } from '../real-node/node-init';
import { findProcesses, startRealNode, type RealNode } from '../real-node/real-node';
import { describeRealNode, reasonWithoutRealNode } from '../real-node/suite';
import { TreeObserver } from '../zookeeper/tree-observer';
import { reasonWithoutZookeeper, ZookeeperServer } from '../zookeeper/zookeeper-server';

const shell = (name: string, script: string, more: object = {}): object => ({
  name,
  image: imageNames.busybox,
  imagePullPolicy: 'Never',
  command: ['/bin/sh', '-c', script],
  ...more,
});
const runUntilTerminated = "trap 'exit 0' TERM; while :; do sleep 1 & wait $!; done";
const pod = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: name, [metadataKeys.workload]: name } },
  spec: { terminationGracePeriodSeconds: 20, ...spec },
});
const job = (name: string, spec: object): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', ...spec } } },
});

interface PodStatus {
  readonly phase?: string;
  readonly podIP?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly { readonly name: string; readonly state?: { readonly terminated?: object } }[];
}

const statusOf = async (node: RealNode, path: string): Promise<unknown> => {
  const { body } = await node.client.request('GET', path);
  return (body as { status?: unknown }).status;
};
const podStatus = async (node: RealNode, name: string): Promise<PodStatus> =>
  ((await statusOf(node, `/api/v1/namespaces/default/pods/${name}`)) ?? {}) as PodStatus;
const untilPodIsReady = (node: RealNode, name: string): Promise<PodStatus> =>
  waitFor(`${name} to be Ready`, async () => {
    const status = await podStatus(node, name);
    return status.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') && status;
  });

const reason = reasonWithoutZookeeper();
const withZookeeper = reason ? test.skip : test;

describeRealNode('a real node', (node) => {
  test('is Ready and runs Kubernetes v1.36.3 with containerd', async () => {
    const { body } = await node().client.request('GET', '/api/v1/nodes/node1');
    expect(body).toMatchObject({
      status: {
        nodeInfo: {
          kubeletVersion: 'v1.36.3',
          containerRuntimeVersion: expect.stringMatching(/^containerd/) as unknown,
        },
      },
    });
  });

  test('a Job with a native sidecar ends with its work; with an ordinary sidecar it never ends', async () => {
    const work = shell('work', 'echo done');
    await node().apply(
      job('native', {
        containers: [work],
        initContainers: [shell('side', runUntilTerminated, { restartPolicy: 'Always' })],
      }),
      job('ordinary', { containers: [work, shell('side', runUntilTerminated)] }),
    );
    await waitFor('the Job with a native sidecar', async () => {
      const status = await statusOf(node(), '/apis/batch/v1/namespaces/default/jobs/native');
      return (status as { succeeded?: number }).succeeded === 1;
    });
    const ordinary = await waitFor('the work of the other to end', async () => {
      const { body } = await node().client.request(
        'GET',
        '/api/v1/namespaces/default/pods?labelSelector=job-name=ordinary',
      );
      const status = (body as { items: readonly { status: PodStatus }[] }).items[0]?.status;
      const isDone = status?.containerStatuses?.some(({ name, state }) => name === 'work' && state?.terminated);
      return isDone && status;
    });
    expect(ordinary.phase).toBe('Running');
    expect(await statusOf(node(), '/apis/batch/v1/namespaces/default/jobs/ordinary')).toMatchObject({ active: 1 });
  });

  test('init containers run in order before the app, which finds its environment', async () => {
    const mounts = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
    await node().apply(
      pod('ordered', {
        volumes: [{ name: 'shared', emptyDir: {} }],
        initContainers: [
          shell('first', 'echo first >> /shared/order', mounts),
          shell('second', 'echo second >> /shared/order', mounts),
        ],
        containers: [
          shell('app', `cat /shared/order; echo "app $POD $CPU"; ${runUntilTerminated}`, {
            ...mounts,
            resources: { requests: { cpu: '50m' } },
            env: [
              { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } } },
            ],
          }),
        ],
      }),
    );
    await untilPodIsReady(node(), 'ordered');
    expect(await node().logs('default', 'ordered', 'app')).toBe('first\nsecond\napp ordered 50\n');
    expect(await node().exec('default', 'ordered', 'app', ['hostname'])).toMatchObject({
      code: 0,
      stdout: 'ordered\n',
    });
  });

  test('pods reach each other through a Service, and the test reaches them through port forwarding', async () => {
    const server = `require('node:http').createServer((_, r) => r.end('hello')).listen(8080)`;
    const client = `fetch('http://' + process.env.SERVED_SERVICE_HOST + ':80').then((r) => r.text()).then(console.log)`;
    const runsNode = (name: string, script: string): object => ({
      name,
      image: imageNames.node,
      imagePullPolicy: 'Never',
      command: ['/bin/node', '-e', script],
    });
    await node().apply(
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'served', namespace: 'default' },
        spec: { selector: { app: 'served' }, ports: [{ port: 80, targetPort: 8080 }] },
      },
      pod('served', {
        containers: [{ ...runsNode('app', server), readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 } }],
      }),
    );
    const { podIP = '' } = await untilPodIsReady(node(), 'served');
    const port = await node().forward(8080, podIP);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('hello');
    await node().apply(pod('http-client', { restartPolicy: 'OnFailure', containers: [runsNode('app', client)] }));
    await waitFor('the client to end', async () => (await podStatus(node(), 'http-client')).phase === 'Succeeded');
    expect(await node().logs('default', 'http-client')).toBe('hello\n');
  });

  test('a pod authenticates to the API server as its service account', async () => {
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    const script = `const token = require('node:fs').readFileSync('${folder}/token', 'utf8');
      const url = 'https://' + process.env.KUBERNETES_SERVICE_HOST + '/api/v1/namespaces/default/secrets';
      fetch(url, { headers: { authorization: 'Bearer ' + token } }).then((r) => r.json()).then((s) => console.log(s.message));`;
    const env = [{ name: 'NODE_EXTRA_CA_CERTS', value: `${folder}/ca.crt` }];
    const container = {
      name: 'app',
      image: imageNames.node,
      imagePullPolicy: 'Never',
      command: ['/bin/node', '-e', script],
    };
    await node().apply(pod('client', { restartPolicy: 'OnFailure', containers: [{ ...container, env }] }));
    await waitFor('it to end', async () => (await podStatus(node(), 'client')).phase === 'Succeeded');
    expect(await node().logs('default', 'client')).toContain(
      'User "system:serviceaccount:default:default" cannot list',
    );
  });

  withZookeeper(
    `registers a pod when its app is ready, and unregisters it while the app still serves${reason ? ` (skipped: ${reason})` : ''}`,
    async () => {
      const nodeAccess = {
        address: node().address,
        port: 2181,
        command: node().command,
        forward: (port: number) => node().forward(port),
      };
      const zookeeper = await ZookeeperServer.start({ inside: nodeAccess });
      const observer = new TreeObserver(zookeeper.outside, '/pinion/services/default/cart');
      try {
        await node().apply(registeredPod(zookeeper.ensemble));
        const { podIP = '' } = await untilPodIsReady(node(), 'cart-0');
        const [entry] = await observer.members(1);
        expect(entry?.data).toMatchObject({
          serviceEndpoint: { host: podIP, port: 8080 },
          metadata: { pod: 'cart-0' },
        });
        const status = await node().forward(19106, podIP);
        const rejected = await fetch(`http://127.0.0.1:${status}/withdraw`, { method: 'POST' });
        expect(rejected.status).toBe(403);
        const app = await node().forward(8080, podIP);
        await node().kubectl(['delete', 'pod', 'cart-0', '--wait=false']);
        await observer.members(0);
        expect((await fetch(`http://127.0.0.1:${app}/`)).status).toBe(200);
        await waitFor('the pod to be gone', async () => {
          return (await node().client.request('GET', '/api/v1/namespaces/default/pods/cart-0')).status === 404;
        });
      } finally {
        await observer.stop();
        await zookeeper.stop();
      }
    },
  );
});

/** Returns a pod with the registrar of the default profile, except for its image and the values of a Platform. */
function registeredPod(ensemble: string): object {
  const [registrar] = traffic.pod?.sidecars ?? [];
  const env = [
    ...(registrar?.env ?? []),
    { name: 'ZOOKEEPER', value: ensemble },
    { name: 'SERVICE_PORT', value: '8080' },
    { name: 'READINESS_PATH', value: '/' },
    { name: 'SERVICE_NAME', value: 'default/cart' },
  ];
  const script = `process.on('SIGTERM', () => process.exit(0)); require('node:http').createServer((_, r) => r.end('ok')).listen(8080)`;
  return pod('cart-0', {
    volumes: [{ name: 'pinion-identity', emptyDir: {} }],
    initContainers: [{ ...registrar, image: imageNames.registrar, restartPolicy: 'Always', env }],
    containers: [
      {
        name: 'app',
        image: imageNames.node,
        imagePullPolicy: 'Never',
        command: ['/bin/node', '-e', script],
        lifecycle: { preStop: { sleep: { seconds: 8 } } },
      },
    ],
  });
}

const testIfPossible = reasonWithoutRealNode() ? test.skip : test;
testIfPossible(
  'stopping a node removes its processes, cgroups, networks and folder',
  async () => {
    const binaries = findBinaries(nodePrograms);
    if ('skipped' in binaries) throw new Error(binaries.skipped);
    const networks = Object.keys(networkInterfaces());
    const node = await startRealNode({ paths: binaries.paths });
    await node.apply(pod('left', { containers: [shell('app', runUntilTerminated)] }));
    await untilPodIsReady(node, 'left');
    expect(await findProcesses(node.folder)).not.toEqual([]);
    await node.stop();
    expect(await findProcesses(node.folder)).toEqual([]);
    expect(existsSync(node.folder)).toBe(false);
    expect(readdirSync('/sys/fs/cgroup/pids').filter((name) => name.startsWith(`pinion-node-${process.pid}-`))).toEqual(
      [],
    );
    expect(Object.keys(networkInterfaces())).toEqual(networks);
  },
  120_000,
);
