import { expectStatus } from '../control-plane/answer';
import { type RunningControlPlane } from '../control-plane/running-control-plane';

/** Somebody whose requests have no seat at all. */
export const seatless = { name: 'seatless' } as const;

/** Somebody whose requests wait for seats as everybody's do: members of system:masters are exempt. */
export const ordinary = { name: 'ordinary' } as const;

const label = 'hooked';

/** A webhook that nobody answers for, on objects with a label of its own. */
const deafWebhook = (failurePolicy: 'Ignore' | 'Fail') => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: `deaf-${failurePolicy.toLowerCase()}` },
  webhooks: [
    {
      name: `${failurePolicy.toLowerCase()}.deaf.example.com`,
      clientConfig: { url: 'https://127.0.0.1:1/' },
      objectSelector: { matchLabels: { [label]: failurePolicy } },
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
    metadata: { name: seatless.name },
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
    metadata: { name: seatless.name },
    spec: {
      priorityLevelConfiguration: { name: seatless.name },
      matchingPrecedence: 50,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: seatless.name } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  },
];

const configMap = (policy: string, name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { [label]: policy } },
});

/** Takes the seats of one user away. */
export async function takeSeatsAway({ client }: RunningControlPlane): Promise<void> {
  for (const object of noSeats) expectStatus(await client.applyForReal(object), [200, 201]);
}

/** Asks much at once as the user without seats, and says what was answered: one request is let in where none runs. */
export async function crowd(controlPlane: RunningControlPlane): Promise<readonly number[]> {
  const client = controlPlane.as(seatless.name);
  const answers = Array.from({ length: 60 }, () => client.request('GET', '/api/v1/configmaps'));
  return (await Promise.all(answers)).map(({ status }) => status);
}

/** Has webhooks that nobody answers for. */
export async function makeWebhooksDeaf({ client }: RunningControlPlane): Promise<void> {
  for (const policy of ['Ignore', 'Fail'] as const)
    expectStatus(await client.applyForReal(deafWebhook(policy)), [200, 201]);
}

/** Writes two objects: one passes its webhook unseen, the other is refused. */
export async function askWebhooks({ client }: RunningControlPlane, round: number): Promise<readonly number[]> {
  const path = '/api/v1/namespaces/default/configmaps';
  const passed = await client.request('POST', path, configMap('Ignore', `ignored-${round}`));
  const refused = await client.request('POST', path, configMap('Fail', `refused-${round}`));
  return [passed.status, refused.status];
}

/** Lists and watches, so that caches, lists and watches have something to tell. */
export async function readAndWatch(controlPlane: RunningControlPlane): Promise<void> {
  const path = '/api/v1/configmaps';
  for (const client of [controlPlane.client, controlPlane.as(ordinary.name)]) {
    await client.request('GET', path);
    await client.request('GET', path, undefined, { query: { watch: 'true', timeoutSeconds: '1' } });
  }
}
