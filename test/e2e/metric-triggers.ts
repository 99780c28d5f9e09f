import { expectStatus } from '../control-plane/api-response';
import { type RunningControlPlane } from '../control-plane/running-control-plane';

/** User whose priority level has no seats. */
export const userWithoutSeats = { name: 'no-seats' } as const;

/** User whose requests wait for seats, unlike members of system:masters, who are exempt. */
export const nonExemptUser = { name: 'ordinary' } as const;

const webhookLabel = 'hooked';

/** Returns a webhook without a server, for objects with its label. */
const unreachableWebhook = (failurePolicy: 'Ignore' | 'Fail') => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: `unreachable-${failurePolicy.toLowerCase()}` },
  webhooks: [
    {
      name: `${failurePolicy.toLowerCase()}.unreachable.example.com`,
      clientConfig: { url: 'https://127.0.0.1:1/' },
      objectSelector: { matchLabels: { [webhookLabel]: failurePolicy } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      failurePolicy,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 1,
    },
  ],
});

const noSeats = [
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: userWithoutSeats.name },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 0,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: { type: 'Reject' },
      },
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: userWithoutSeats.name },
    spec: {
      priorityLevelConfiguration: { name: userWithoutSeats.name },
      matchingPrecedence: 50,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: userWithoutSeats.name } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  },
];

const configMap = (policy: string, name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { [webhookLabel]: policy } },
});

/** Creates a priority level without seats for one user. */
export async function removeSeats({ client }: RunningControlPlane): Promise<void> {
  for (const object of noSeats) expectStatus(await client.apply(object), [200, 201]);
}

/** Sends a burst of requests as the user without seats; returns their status codes: one is admitted while none runs. */
export async function sendBurst(controlPlane: RunningControlPlane): Promise<readonly number[]> {
  const client = controlPlane.as(userWithoutSeats.name);
  const responses = Array.from({ length: 60 }, () => client.request('GET', '/api/v1/configmaps'));
  return (await Promise.all(responses)).map(({ status }) => status);
}

/** Creates the unreachable webhooks. */
export async function createUnreachableWebhooks({ client }: RunningControlPlane): Promise<void> {
  for (const policy of ['Ignore', 'Fail'] as const)
    expectStatus(await client.apply(unreachableWebhook(policy)), [200, 201]);
}

/** Creates two objects: one whose webhook failure is ignored, and one that is rejected. */
export async function callWebhooks({ client }: RunningControlPlane, round: number): Promise<readonly number[]> {
  const path = '/api/v1/namespaces/default/configmaps';
  const ignored = await client.request('POST', path, configMap('Ignore', `ignored-${round}`));
  const rejected = await client.request('POST', path, configMap('Fail', `refused-${round}`));
  return [ignored.status, rejected.status];
}

/** Lists and watches, so that the metrics of caches, lists and watches have samples. */
export async function readAndWatch(controlPlane: RunningControlPlane): Promise<void> {
  const path = '/api/v1/configmaps';
  for (const client of [controlPlane.client, controlPlane.as(nonExemptUser.name)]) {
    await client.request('GET', path);
    await client.request('GET', path, undefined, { query: { watch: 'true', timeoutSeconds: '1' } });
  }
}
