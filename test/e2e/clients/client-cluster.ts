import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../../control-plane/api-response';
import { type ControlPlane } from '../../control-plane/control-plane';
import { audience, type Answer, read, type TestGateway } from '../gateway/test-gateway';

/** Projects of the test, each with a team and a contact of its own. */
export const projectNames = [
  ...['unlimited', 'unversioned', 'poller', 'flapper', 'agents', 'anonymous', 'direct'],
  'shop',
] as const;

/** Name of a project of the test. */
export type ProjectName = (typeof projectNames)[number];

/** Returns the on-call contact of a project. */
export const contactOf = (project: string): string => `#${project}-oncall`;

/** Returns the Projects of the test as YAML. */
export const projectManifests = (): string =>
  projectNames
    .map((name) => {
      const spec = { team: `team-${name}`, onCall: contactOf(name) };
      return JSON.stringify({ apiVersion: 'pinterest.com/v1', kind: 'Project', metadata: { name }, spec });
    })
    .join('\n---\n');

/** Creates the namespaces of the projects, and a role that allows every account to read. */
export async function prepareProjects({ client }: ControlPlane): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  for (const name of projectNames) await client.ensureNamespace(name);
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const subjects = [{ kind: 'Group', name: 'system:serviceaccounts', apiGroup: group }];
  const roleRef = { kind: 'ClusterRole', name: 'clients', apiGroup: group };
  for (const object of [
    { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name: 'clients' }, rules },
    { apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'clients' }, subjects, roleRef },
  ])
    expectStatus(await client.apply(object), [200, 201]);
}

/** A client of the API server, or of the gateway. */
export class TokenClient {
  constructor(
    private readonly url: string,
    private readonly authority: string,
    private readonly token: string,
    private readonly userAgent: string | undefined,
  ) {}

  /** Sends a read. */
  get(path: string): Promise<Answer> {
    const headers = this.userAgent === undefined ? {} : { 'user-agent': this.userAgent };
    return read(`${this.url}${path}`, this.authority, this.token, headers);
  }
}

/** Returns the certificate authority of the API server. */
export const authorityOf = ({ kubeconfig }: ControlPlane): string => {
  const [, file] = /certificate-authority"?: "?([^"\n]+)/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  if (file === undefined) throw new Error(`${kubeconfig} names no certificate authority`);
  return readFileSync(file, 'utf8');
};

/** Creates a service account, and returns a token of it: for the gateway, or one that is bound to a pod on a node. */
export async function tokenOf(
  { client }: ControlPlane,
  namespace: string,
  name: string,
  options: { readonly forGateway?: boolean; readonly pod?: string } = {},
): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  expectStatus(await client.apply(account), [200, 201]);
  const { pod, forGateway = false } = options;
  const spec = {
    ...(forGateway && { audiences: [audience] }),
    ...(pod !== undefined && { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod } }),
  };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const response = expectStatus(await client.request('POST', path, body), [201]);
  return (response.body as { readonly status: { readonly token: string } }).status.token;
}

/** Returns a kubeconfig of a token for the gateway, as a file of the control plane's folder. */
export function gatewayKubeconfig({ gateway, authority }: TestGateway, token: string): string {
  const data = Buffer.from(authority.certificate).toString('base64');
  const cluster = { server: `https://localhost:${gateway.port}`, 'certificate-authority-data': data };
  const named = (key: string, value: object): object => ({ name: 'gateway', [key]: value });
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [named('cluster', cluster)],
    users: [named('user', { token })],
    contexts: [named('context', { cluster: 'gateway', user: 'gateway' })],
    'current-context': 'gateway',
  });
}

/** Returns the path of a file in the folder of a control plane. */
export const fileIn = ({ folder }: ControlPlane, name: string): string => join(folder, name);
