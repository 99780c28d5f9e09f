import { join } from 'node:path';
import { type gatewayAudience } from '../../lib/api';
import { expectStatus } from '../../test/control-plane/api-response';
import { type SendableObject } from '../../test/control-plane/client';
import { type ControlPlane } from '../../test/control-plane/control-plane';
import { writeLogin } from '../../test/control-plane/credentials';
import { type ClientKind, clientKinds, type ClientPlan } from './client-plan';

/** Teams, each with a namespace, and a service account for each kind of client. */
export const teams = Array.from({ length: 10 }, (_, index) => `team-${index}`);

const rbac = 'rbac.authorization.k8s.io';
const kinds = Object.keys(clientKinds) as ClientKind[];
const roleName = 'team-reader';

/** Creates the namespaces, accounts and roles of the teams. */
export async function createTeams({ client }: ControlPlane): Promise<void> {
  const apply = async (object: object): Promise<void> => {
    expectStatus(await client.apply(object as SendableObject), [200, 201]);
  };
  const verbs = ['get', 'list', 'watch'];
  await apply({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: roleName },
    rules: [
      { apiGroups: [''], resources: ['pods', 'services'], verbs },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs },
    ],
  });
  for (const namespace of teams) {
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const name of ['default', ...kinds])
      await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
    await apply({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { namespace, name: roleName },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleName },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: `system:serviceaccounts:${namespace}` }],
    });
  }
}

/** Creates pods of about 2 KB, `pod-0` and on, in the namespace of each team, and changes some of them now and then. */
export class TeamPods {
  #turn = 0;

  constructor(
    private readonly controlPlane: ControlPlane,
    private readonly count: number,
  ) {}

  /** Creates them. */
  async create(): Promise<void> {
    const one = async (namespace: string): Promise<void> => {
      for (let index = 0; index < this.count; index++) {
        const path = `/api/v1/namespaces/${namespace}/pods`;
        expectStatus(await this.controlPlane.client.request('POST', path, podOf(namespace, index)), [201]);
      }
    };
    await Promise.all(teams.map(one));
  }

  /** Changes a label of five pods a second until the signal is aborted. */
  async change(signal: AbortSignal, label = 'turn', value = () => `${this.#turn}`): Promise<void> {
    while (!signal.aborted) {
      this.#turn += 1;
      const path = `/api/v1/namespaces/${teams[this.#turn % teams.length]}/pods/pod-${this.#turn % this.count}`;
      const body = { metadata: { labels: { [label]: value() } } };
      const options = { contentType: 'application/merge-patch+json' };
      expectStatus(await this.controlPlane.client.request('PATCH', path, body, options), [200]);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

const podOf = (namespace: string, index: number): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${index}`, namespace, labels: { app: `app-${index % 10}` } },
  spec: {
    containers: ['app', 'proxy'].map((name) => ({
      name,
      image: `registry.example.com/platform/${name}:1.2.3`,
      env: Array.from({ length: 6 }, (_, variable) => ({ name: `VARIABLE_${variable}`, value: `value ${variable}` })),
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    })),
  },
});

/** Server that clients log in to. */
export interface ClientTarget {
  readonly url: string;
  /** File with its certificate authority. */
  readonly authorityFile: string;
  /** Audience of their tokens. @default - that of the API server */
  readonly audience?: typeof gatewayAudience;
}

/** Returns the clients of the mix, with kubeconfigs for a server in a folder; each team has its share of each kind. */
export async function clientsOf(
  controlPlane: ControlPlane,
  { url, authorityFile, audience }: ClientTarget,
  folder: string,
): Promise<readonly ClientPlan[]> {
  const clients: ClientPlan[] = [];
  for (const kind of kinds)
    for (const namespace of teams) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${kind}/token`;
      const spec = { audiences: audience === undefined ? [] : [audience], expirationSeconds: 6 * 3_600 };
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
      const response = expectStatus(await controlPlane.client.request('POST', path, body), [201]);
      const { token } = (response.body as { readonly status: { readonly token: string } }).status;
      const kubeconfig = writeLogin(join(folder, `${namespace}-${kind}.kubeconfig`), url, authorityFile, token);
      const { count, period } = clientKinds[kind];
      for (let index = 0; index < count / teams.length; index++) clients.push({ kind, namespace, kubeconfig, period });
    }
  return clients;
}
