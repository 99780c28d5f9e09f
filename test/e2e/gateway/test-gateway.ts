import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { loadKubeConfig } from '../../../lib/kube';
import {
  type DefaultApiBudgets,
  type Gateway,
  type GatewayOptions,
  type ResourceName,
  startGateway,
} from '../../../lib/gateway';
import { type ControlPlane } from '../../control-plane/control-plane';
import { expectStatus } from '../../control-plane/api-response';
import { TestAuthority } from '../../kube/certificates';
import { realClock } from '../../kube/real-clock';
import { type WatchTarget } from './watch-recorder';

/** Audience of the tokens that the gateway accepts. */
export const audience = 'pinion-gateway';

const budget = { requestsPerSecond: 100_000, concurrentRequests: 100_000, bytesPerSecond: 2 ** 40 };

/** Budgets that no test uses up. */
export const unlimited: DefaultApiBudgets = { project: budget, serviceAccount: budget, user: budget };

/** Answer to a request: its status, headers and JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Gateway before a control plane, in this process, with a certificate of its own. */
export class TestGateway {
  readonly errors: string[] = [];

  private constructor(
    readonly gateway: Gateway,
    readonly authority: TestAuthority,
    errors: string[],
  ) {
    this.errors = errors;
  }

  /** Starts a gateway that caches some resources; without budgets that a test would notice, unless it states them. */
  static async start(
    controlPlane: ControlPlane,
    resources: readonly ResourceName[],
    more: Partial<GatewayOptions> = {},
  ): Promise<TestGateway> {
    const authority = new TestAuthority();
    const errors: string[] = [];
    const gateway = await startGateway({
      apiServer: loadKubeConfig({ file: controlPlane.kubeconfig, environment: {} }),
      clock: realClock,
      userAgent: 'pinion-gateway',
      audience,
      resources,
      tls: authority.certify('localhost'),
      port: 0,
      onError: (message) => errors.push(message),
      budgets: unlimited,
      ...more,
    });
    return new TestGateway(gateway, authority, errors);
  }

  /** Where a client with a token watches. */
  target(token: string): WatchTarget {
    return { url: `https://localhost:${this.gateway.port}`, authority: this.authority.certificate, token };
  }

  /** Sends a read with a token. */
  get(path: string, token: string | undefined, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return read(`https://localhost:${this.gateway.port}${path}`, this.authority.certificate, token, headers);
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }
}

/** Sends a read to a server with a token. */
export function read(
  url: string,
  authority: string,
  token: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    request(url, { ca: authority, headers: { ...authorization, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = (response.headers['content-type'] ?? '').includes('json');
        try {
          const body: unknown = isJson ? JSON.parse(text) : text;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        } catch (error) {
          // As of a watch that ends before its first event.
          reject(error as Error);
        }
      });
    })
      .once('error', reject)
      .end();
  });
}

/** Creates a service account in `default`, if it does not exist, and returns a token of it for the gateway. */
export async function gatewayToken({ client }: ControlPlane, name: string): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } };
  expectStatus(await client.apply(account), [200, 201]);
  const path = `/api/v1/namespaces/default/serviceaccounts/${name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [audience] } };
  const response = expectStatus(await client.request('POST', path, body), [201]);
  return (response.body as { readonly status: { readonly token: string } }).status.token;
}

/** Client of the API server itself. */
export interface Reader extends WatchTarget {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Returns a client of the API server with a token of an account in `default`. */
export async function directReader(controlPlane: ControlPlane, name: string): Promise<Reader> {
  const token = await controlPlane.serviceAccountToken('default', name);
  const authority = readFileSync(authorityFile(controlPlane), 'utf8');
  return {
    url: controlPlane.url,
    authority,
    token,
    get: (path, headers) => read(`${controlPlane.url}${path}`, authority, token, headers),
  };
}

/** Returns the file of the certificates that a control plane's clients trust. */
export const authorityFile = ({ kubeconfig }: ControlPlane): string => {
  const [, file] = /certificate-authority"?: "?([^"\n]+)/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  if (file === undefined) throw new Error(`${kubeconfig} names no certificate authority`);
  return join(file);
};

/** Binds a role to an account of `default`; returns the name of both. */
export async function allowReads({ client }: ControlPlane, account: string, verbs: readonly string[]): Promise<string> {
  const name = `reads-of-${account}`;
  const [apiVersion, apiGroup] = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io'];
  const rules = [{ apiGroups: [''], resources: ['pods', 'namespaces'], verbs }];
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: 'default' }];
  const roleRef = { apiGroup, kind: 'ClusterRole', name };
  for (const object of [
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects },
  ])
    expectStatus(await client.apply(object), [200, 201]);
  return name;
}
