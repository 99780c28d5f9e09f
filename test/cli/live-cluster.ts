import { join } from 'node:path';
import { sendJson, sendStatus, startServer, type ScriptedServer } from '../kube/scripted-server';
import { testFolder, writeFiles } from './terminal';

/** A JSON object. */
export type Body = Readonly<Record<string, unknown>>;

/** API server of the running test, which serves stored objects. */
export class LiveCluster {
  server!: ScriptedServer;
  /** Objects by path. */
  readonly stored = new Map<string, Body>();
  /** Paths that may not be read. */
  readonly forbidden = new Set<string>();
  /** Path below which the server has no API. */
  unserved: string | undefined;
  /** Response to each apply. */
  rejection: (Body & { readonly code: number }) | undefined;

  /** Starts the server, and writes its kubeconfig. */
  async start(): Promise<void> {
    this.stored.clear();
    this.forbidden.clear();
    this.rejection = undefined;
    this.unserved = undefined;
    this.server = await startServer(({ method, url, body }, response) => {
      const path = url.split('?')[0] ?? '';
      const live = this.stored.get(path);
      if (this.forbidden.has(path)) return sendStatus(response, 403, 'Forbidden');
      if (this.unserved !== undefined && path.startsWith(this.unserved))
        return sendStatus(response, 404, 'NotFound', {}, 'the server could not find the requested resource');
      if (method === 'PATCH' && this.rejection) return sendJson(response, this.rejection.code, this.rejection);
      if (method === 'PATCH') return sendJson(response, 200, merged(live, JSON.parse(body)));
      return live ? sendJson(response, 200, live) : sendStatus(response, 404, 'NotFound');
    });
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: this.server.url } }],
    };
    const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'team' } }];
    writeFiles({
      kubeconfig: JSON.stringify({ ...config, contexts, users: [{ name: 'u', user: {} }], 'current-context': 'c' }),
    });
  }

  /** Lists the requests of the test. */
  requests(): string[] {
    return this.server.seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
  }
}

/** Returns the option that selects the cluster. */
export const kubeconfigOption = (): string[] => ['--kubeconfig', join(testFolder(), 'kubeconfig')];

/** Returns metadata of a stored object. */
export const liveMetadata = (name: string, namespace?: string): Body => ({
  name,
  ...(namespace !== undefined && { namespace }),
  uid: name,
  resourceVersion: '1',
});

/** Returns the list of some objects. */
export const listBody = (items: readonly Body[]): Body => ({ metadata: {}, items });

const merged = (live: unknown, applied: unknown): unknown =>
  typeof live === 'object' && live !== null && !Array.isArray(live) && typeof applied === 'object' && applied !== null
    ? Object.fromEntries(
        [...new Set([...Object.keys(live), ...Object.keys(applied)])].map((key) => [
          key,
          key in applied ? merged((live as Body)[key], (applied as Body)[key]) : (live as Body)[key],
        ]),
      )
    : applied;
