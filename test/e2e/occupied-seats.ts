import { createServer, type AddressInfo, type Server } from 'node:net';
import { expectStatus } from '../control-plane/api-response';
import { Client } from '../control-plane/client';
import { type RunningControlPlane } from '../control-plane/running-control-plane';

/** User whose requests occupy nearly all seats, and whose webhook never responds. */
export const saturatingUser = { name: 'seat-saturating' } as const;

/** Seconds that the API server waits for the webhook; a request keeps its seat for that long. */
const webhookTimeoutSeconds = 10;
/** Number of clients, and of concurrent requests per client. */
const [clients, requests] = [10, 16];

const priorityLevel = [
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: saturatingUser.name },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 10_000, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: saturatingUser.name },
    spec: {
      priorityLevelConfiguration: { name: saturatingUser.name },
      matchingPrecedence: 50,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: saturatingUser.name } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  },
];

const clusterAdminBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: saturatingUser.name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: saturatingUser.name }],
};

const silentWebhook = (port: number) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: saturatingUser.name },
  webhooks: [
    {
      name: 'silent.example.com',
      clientConfig: { url: `https://127.0.0.1:${port}/` },
      objectSelector: { matchLabels: { held: 'true' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: webhookTimeoutSeconds,
    },
  ],
});

/** Requests that keep their seats because a webhook accepts their connection and never responds. */
export class OccupiedSeats {
  private constructor(
    private readonly server: Server,
    private readonly clients: readonly Client[],
  ) {}

  /** Gives one user nearly all seats of a control plane, and registers a webhook for the objects that the user creates. */
  static async prepare({ client, url, credentials }: RunningControlPlane): Promise<OccupiedSeats> {
    const server = createServer((socket) => void socket.on('error', () => undefined).resume());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    for (const object of [...priorityLevel, clusterAdminBinding, silentWebhook(port)])
      expectStatus(await client.apply(object), [200, 201]);
    const { tokens, authorityFile } = credentials;
    const login = { url, token: tokens[saturatingUser.name] ?? '', authorityFile };
    return new OccupiedSeats(
      server,
      Array.from({ length: clients }, () => new Client(login)),
    );
  }

  /** Occupies one seat per concurrent request until the webhook times out; returns the response statuses. */
  async occupy(): Promise<readonly number[]> {
    const path = '/api/v1/namespaces/default/configmaps';
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', labels: { held: 'true' } } };
    const query = { dryRun: 'All' };
    const responses = this.clients.flatMap((each) =>
      Array.from({ length: requests }, () => each.request('POST', path, object, { query })),
    );
    return (await Promise.all(responses)).map(({ status }) => status);
  }

  async stop(): Promise<void> {
    for (const each of this.clients) each.close();
    await new Promise((done) => this.server.close(done));
  }
}
