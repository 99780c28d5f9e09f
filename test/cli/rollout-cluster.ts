import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { safeParseManifest, apiVersion } from '../../lib/api';
import { sendJson, sendStatus, startServer, type ScriptedServer, type SeenRequest } from '../kube/scripted-server';
import { listBody, type Body } from './live-cluster';
import { testFolder, writeFiles } from './terminal';

const rolloutsPath = '/apis/pinterest.com/v1/platformrollouts';

/** A stored PlatformRollout of the running test. */
export interface TestRollout {
  readonly metadata: Body & { readonly name: string; readonly resourceVersion: string };
  readonly spec: Body;
  readonly status?: Body;
}

/** API server that stores PlatformRollouts, and checks preconditions of patches as the real one. */
export class RolloutCluster {
  server!: ScriptedServer;
  rollouts: readonly TestRollout[] = [];
  platforms: readonly Body[] = [];
  projects: readonly Body[] | 'forbidden' = [];
  /** Response to each patch instead of its result. */
  refusal: { readonly code: number; readonly reason: string; readonly message: string } | undefined;
  /** Called before each response, so that a test changes what is stored. */
  onRequest: (request: SeenRequest, index: number) => void = () => undefined;
  /** Whether the cluster has the definition. */
  isInstalled = true;

  /** Starts the server, and writes its kubeconfig. */
  async start(): Promise<void> {
    this.server = await startServer((request, response, index) => {
      this.onRequest(request, index);
      this.#respond(request, response);
    });
    const cluster = { name: 'c', cluster: { server: this.server.url } };
    const config = { apiVersion: 'v1', kind: 'Config', clusters: [cluster], users: [{ name: 'u', user: {} }] };
    const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }];
    writeFiles({ kubeconfig: JSON.stringify({ ...config, contexts, 'current-context': 'c' }) });
  }

  /** Bodies of the patches that the server received. */
  patches(): readonly unknown[] {
    return this.server.seen.filter(({ method }) => method === 'PATCH').map(({ body }): unknown => JSON.parse(body));
  }

  /** Replaces the status of a rollout, as the controller does. */
  setStatus(name: string, status: Body): void {
    this.#store(name, (rollout) => ({ ...rollout, status: { ...rollout.status, ...status } }));
  }

  #respond({ method, url, body }: SeenRequest, response: ServerResponse): void {
    const [path = ''] = url.split('?');
    if (path === '/version') return sendJson(response, 200, { gitVersion: 'v1.36.3' });
    if (path.endsWith('/platforms')) return sendJson(response, 200, listBody(this.platforms));
    if (path.endsWith('/projects')) {
      if (this.projects === 'forbidden') return sendStatus(response, 403, 'Forbidden');
      return sendJson(response, 200, listBody(this.projects));
    }
    if (!this.isInstalled || !path.startsWith(rolloutsPath)) return sendStatus(response, 404, 'NotFound');
    if (path === rolloutsPath) return sendJson(response, 200, listBody(this.rollouts as unknown as readonly Body[]));
    const name = path.slice(rolloutsPath.length + 1);
    const live = this.rollouts.find(({ metadata }) => metadata.name === name);
    if (!live) return sendStatus(response, 404, 'NotFound');
    if (method === 'PATCH') return this.#patch(live, JSON.parse(body) as Patch, response);
    return sendJson(response, 200, live);
  }

  #patch({ metadata: { name, resourceVersion } }: TestRollout, patch: Patch, response: ServerResponse): void {
    if (this.refusal) {
      const { code, reason, message } = this.refusal;
      return sendStatus(response, code, reason, {}, message);
    }
    if (patch.metadata.resourceVersion !== resourceVersion)
      return sendStatus(response, 409, 'Conflict', {}, 'the object has been modified');
    const spec = (before: Body): Body =>
      Object.fromEntries(Object.entries({ ...before, ...patch.spec }).filter(([, value]) => value !== null));
    return sendJson(
      response,
      200,
      this.#store(name, (rollout) => ({ ...rollout, spec: spec(rollout.spec) })),
    );
  }

  #store(name: string, change: (rollout: TestRollout) => TestRollout): TestRollout | undefined {
    this.rollouts = this.rollouts.map((rollout) => {
      if (rollout.metadata.name !== name) return rollout;
      const { metadata, ...rest } = change(rollout);
      return { ...rest, metadata: { ...metadata, resourceVersion: `${Number(metadata.resourceVersion) + 1}` } };
    });
    return this.rollouts.find(({ metadata }) => metadata.name === name);
  }
}

interface Patch {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec: Body;
}

/** Returns the option that selects the cluster. */
export const rolloutKubeconfig = (): string[] => ['--kubeconfig', join(testFolder(), 'kubeconfig')];

/** Returns a stored rollout with the default policy; throws if its spec is invalid. */
export function storedRollout(
  name: string,
  spec: Body,
  status: Body = {},
  created = '2026-11-21T12:00:00Z',
): TestRollout {
  const manifest = {
    apiVersion,
    kind: 'PlatformRollout' as const,
    metadata: { name },
    spec: { revision: 'rev-b', ...spec },
  };
  const result = safeParseManifest(manifest);
  if (!result.manifest) throw new Error(JSON.stringify(result.problems));
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: created };
  return {
    ...{ apiVersion, kind: 'PlatformRollout' },
    metadata,
    spec: result.manifest.spec as unknown as Body,
    status,
  };
}
