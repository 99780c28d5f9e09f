import { metadataKeys, type WorkloadKind } from '../../lib/api';
import {
  type CanaryRunOptions,
  type CanaryPart,
  type CanaryDeps,
  stepLimitsFor,
  createDnsResolver,
} from '../../lib/operations';
import { canarySandbox } from '../../lib/programs';
import { expectStatus } from '../control-plane/api-response';
import { podBehavior } from '../control-plane/pod-behavior';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { type CanaryTestbed } from '../operations/canary-testbed';
import { type PinionCluster } from './pinion-suite';

/** Environment that faults are injected into. */
export interface FaultContext {
  readonly pinion: PinionCluster;
  readonly testbed: CanaryTestbed;
}

/** Fault that a test injects. */
export interface Fault {
  readonly title: string;
  /** Injects the fault; returns the function that repairs it. */
  readonly inject: (context: FaultContext) => Promise<() => Promise<unknown>>;
  /** Part of the cause that the canary must report. */
  readonly part: CanaryPart;
  readonly message: RegExp;
  /** @default PinterestService */
  readonly kind?: WorkloadKind;
  readonly deploymentPath?: 'synth' | 'controller';
  readonly deps?: Partial<CanaryDeps>;
}

const createObject = async ({ pinion }: FaultContext, object: object): Promise<() => Promise<unknown>> => {
  const { client } = pinion.cluster;
  expectStatus(await client.apply(object as SendableObject), [200, 201]);
  return () => client.delete(object as SendableObject);
};
const name = 'injected-fault';
const admission = 'admissionregistration.k8s.io/v1';

/** Rejects workloads of some kinds from every client. */
const policy = {
  apiVersion: admission,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE'],
          resources: ['pinterestservices', 'deployments'],
        },
      ],
    },
    validations: [{ expression: 'false', message: 'rejected by the test' }],
  },
};
const binding = {
  apiVersion: admission,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
};

/** Deployment that the policy rejects. */
const rejected: SendableObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name, image: 'registry.example.com/app:1' }] },
    },
  },
} as SendableObject;

/** Faults that are injected quickly and detected within seconds. */
export const quickFaults: readonly Fault[] = [
  {
    title: 'a missing ingress class',
    async inject(context) {
      const object = { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'internal' } };
      expectStatus(await context.pinion.cluster.client.delete(object), [200]);
      return () => createObject(context, { ...object, spec: { controller: 'example.com/ingress' } });
    },
    part: 'ingress',
    message: /IngressClass internal, the Platform's internal ingress class/,
  },
  {
    title: 'an admission policy that rejects everything',
    async inject(context) {
      const undo = [await createObject(context, policy), await createObject(context, binding)];
      return async () => {
        await Promise.all(undo.map((one) => one()));
        // The API server caches policies briefly.
        await waitFor('the policy to leave the cache', async () => {
          const { status } = await context.pinion.cluster.client.applyDryRun(rejected);
          return status < 300 || undefined;
        });
      };
    },
    part: 'admission',
    message: /admission policy injected-fault/,
  },
  {
    title: 'a stopped scheduler',
    async inject({ pinion }) {
      await pinion.cluster.part('kube-scheduler').kill();
      return () => pinion.cluster.part('kube-scheduler').restart();
    },
    part: 'scheduler',
    message: /the scheduler is not running: pod canary-service/,
  },
];

/** Pauses etcd repeatedly, so that each write takes seconds. */
function slowEtcd({ pinion }: FaultContext): () => Promise<unknown> {
  const etcd = pinion.cluster.part('etcd');
  let isOver = false;
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const pausing = (async () => {
    while (!isOver) {
      etcd.pause();
      await pause(3500);
      etcd.resume();
      await pause(60);
    }
  })();
  return async () => {
    isOver = true;
    await pausing;
  };
}

/** Makes every pod of the canary fail in one way. */
function failingPods(
  { testbed, pinion }: FaultContext,
  annotations: Readonly<Record<string, string>>,
): () => Promise<unknown> {
  let isOver = false;
  const path = `/api/v1/namespaces/${canarySandbox}/pods`;
  const contentType = 'application/merge-patch+json';
  const annotating = (async () => {
    while (!isOver) {
      for (const pod of await testbed.podNames(metadataKeys.canary))
        await pinion.cluster.client.request('PATCH', `${path}/${pod}`, { metadata: { annotations } }, { contentType });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    isOver = true;
    await annotating;
  };
}

/** Faults that take longer to detect. */
export const slowFaults: readonly Fault[] = [
  {
    title: 'a stopped controller manager',
    async inject({ pinion }) {
      await pinion.cluster.part('kube-controller-manager').kill();
      return () => pinion.cluster.part('kube-controller-manager').restart();
    },
    part: 'controller-manager',
    message: /the controller manager is not running: Deployment/,
    deploymentPath: 'synth',
  },
  {
    title: 'a stopped controller manager, on the controller path',
    async inject({ pinion }) {
      await pinion.cluster.part('kube-controller-manager').kill();
      return () => pinion.cluster.part('kube-controller-manager').restart();
    },
    part: 'controller-manager',
    message: /controller manager/,
    kind: 'PinterestJobSet',
  },
  {
    title: 'a crashed pinion controller',
    async inject({ pinion }) {
      await pinion.controller.kill();
      return () => pinion.replaceController();
    },
    part: 'controller',
    message: /pinion's controller (is not running|renews its lease but)/,
  },
  {
    title: 'a webhook without a backend',
    async inject(context) {
      const undo = await createObject(context, {
        apiVersion: admission,
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name },
        webhooks: [
          {
            name: 'pods.example.com',
            clientConfig: { url: 'https://127.0.0.1:9/pods' },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': canarySandbox } },
            failurePolicy: 'Fail',
            sideEffects: 'None',
            timeoutSeconds: 1,
            admissionReviewVersions: ['v1'],
          },
        ],
      });
      return undo;
    },
    part: 'admission',
    message: /admission webhook pods\.example\.com does not respond/,
  },
  {
    title: 'an exhausted quota',
    async inject(context) {
      const metadata = { name, namespace: canarySandbox };
      return createObject(context, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata,
        spec: { hard: { pods: '0' } },
      });
    },
    part: 'quota',
    message: /quota injected-fault rejects/,
  },
  {
    title: 'nodes that are not Ready',
    async inject({ pinion }) {
      const names = ['node-0', 'node-1', 'node-2'];
      for (const node of names) await pinion.cluster.nodes.setReady(node, false);
      return async () => {
        for (const node of names) await pinion.cluster.nodes.setReady(node, true);
      };
    },
    part: 'nodes',
    message: /none of 3 nodes is ready/,
  },
  {
    title: 'kubelets that start nothing',
    async inject({ pinion }) {
      await pinion.cluster.part('kwok').kill();
      return () => pinion.cluster.part('kwok').restart();
    },
    part: 'nodes',
    message: /does not start pod canary-service/,
  },
  {
    title: 'an image that cannot be pulled',
    inject: (context) =>
      Promise.resolve(failingPods(context, { [podBehavior.readyAfter]: 'never', [podBehavior.imagePull]: 'canary' })),
    part: 'images',
    message: /the image of container canary of pod canary-service/,
  },
  {
    title: 'a DNS server that does not respond',
    inject: () => Promise.resolve(() => Promise.resolve()),
    deps: { dnsResolver: createDnsResolver(['127.0.0.1:9']) },
    part: 'dns',
    message: /the DNS of the cluster does not respond: canary-service/,
  },
  {
    title: 'a slow etcd',
    inject: (context) => Promise.resolve(slowEtcd(context)),
    part: 'etcd',
    message: /etcd is slow: a write takes \d+ ms/,
  },
];

/** Runs the canary at most twice until a run detects a cause; returns the number of runs and the cause. */
export async function detectFault(
  { testbed }: FaultContext,
  { kind, deploymentPath, deps }: Fault,
  options: CanaryRunOptions = {},
) {
  for (let runs = 1; runs <= 2; runs++) {
    const { cases } = await testbed.run(
      { kinds: [kind ?? 'PinterestService'], deploymentPaths: [deploymentPath ?? 'controller'], ...options },
      { limits: stepLimitsFor(20), ...deps },
    );
    const cause = cases.flatMap(({ steps }) => steps).find(({ state }) => state === 'failed')?.cause;
    if (cause) return { runs, ...cause };
  }
  return undefined;
}

/** Defines a test for each fault: the fault is injected, detected within two runs, named and repaired. */
export function testFaults(faults: readonly Fault[], context: () => FaultContext): void {
  test.each(faults.map((fault) => [fault.title, fault] as const))(
    'detects and names %s within two runs',
    async (_, fault) => {
      const repair = await fault.inject(context());
      let cause: Awaited<ReturnType<typeof detectFault>>;
      try {
        cause = await detectFault(context(), fault);
      } finally {
        await repair();
      }
      expect(cause).toMatchObject({ part: fault.part, message: expect.stringMatching(fault.message) as string });
      expect(cause?.next).not.toBe('');
    },
    300_000,
  );
}
