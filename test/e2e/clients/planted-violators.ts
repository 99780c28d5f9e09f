import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PracticeName } from '../../../lib/operations';
import { type ControlPlane } from '../../control-plane/control-plane';
import { authorityOf, type ProjectName, TokenClient, tokenOf } from './client-cluster';

/** A project whose client violates one practice. */
export const plantedPractices: Readonly<Record<Exclude<ProjectName, 'shop'>, PracticeName>> = {
  unlimited: 'ListWithoutLimit',
  unversioned: 'ListWithoutVersion',
  poller: 'Polling',
  flapper: 'WatchFlapping',
  agents: 'PodsOfAllNodes',
  anonymous: 'UnknownClient',
  direct: 'DirectAccess',
};

/** Name of the service account of each of them. */
export const violator = 'violator';
const nodes = ['node-1', 'node-2', 'node-3', 'node-4'];

/** Lets one client violate each practice, and only that, directly at the API server. */
export async function violateEachPractice(controlPlane: ControlPlane): Promise<void> {
  const clientOf = async (
    project: ProjectName,
    userAgent: string | undefined = `${project}/1.0`,
  ): Promise<TokenClient> =>
    new TokenClient(
      controlPlane.url,
      authorityOf(controlPlane),
      await tokenOf(controlPlane, project, violator),
      userAgent,
    );
  const path = (query: string): string => `/api/v1/namespaces/shop/configmaps?${query}`;

  // At irregular intervals, so that it is not polling.
  const unlimited = await clientOf('unlimited');
  for (let index = 0; index < 12; index++)
    await unlimited.get(path('resourceVersion=1&resourceVersionMatch=NotOlderThan'));
  const unversioned = await clientOf('unversioned');
  for (let index = 0; index < 35; index++) await unversioned.get(path(`limit=5&labelSelector=index%3D${index}`));
  const poller = await clientOf('poller');
  for (let index = 0; index < 40; index++) {
    await poller.get('/api/v1/namespaces/shop/configmaps/absent');
    await sleep(100);
  }
  await flap(controlPlane, await tokenOf(controlPlane, 'flapper', violator));
  for (const node of nodes) await readAllPods(controlPlane, node);
  const anonymous = await clientOf('anonymous', 'Go-http-client/2.0');
  for (let index = 0; index < 12; index++) await anonymous.get('/version');
  await (await clientOf('direct')).get('/api/v1/namespaces/shop');
}

/** Opens watches and closes each after a moment. */
async function flap(controlPlane: ControlPlane, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'flapper/1.0' };
  const url = `${controlPlane.url}/api/v1/namespaces/shop/configmaps?watch=true&resourceVersion=0`;
  for (let index = 0; index < 12; index++)
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(url, { ca: authorityOf(controlPlane), headers, agent: false }, (response) => {
        response.once('error', () => resolve());
        setTimeout(() => {
          response.destroy();
          resolve();
        }, 50);
      });
      outgoing.once('error', reject);
      outgoing.end();
    });
}

/** Reads all pods with the token of an agent on a node. */
async function readAllPods(controlPlane: ControlPlane, node: string): Promise<void> {
  const { client } = controlPlane;
  await tokenOf(controlPlane, 'agents', violator);
  await client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: node, namespace: 'agents' },
    spec: {
      nodeName: node,
      serviceAccountName: violator,
      automountServiceAccountToken: false,
      containers: [{ name: 'agent', image: 'registry.example.com/agent:1' }],
    },
  } as Parameters<typeof client.create>[0]);
  const token = await tokenOf(controlPlane, 'agents', violator, { pod: node });
  const agent = new TokenClient(controlPlane.url, authorityOf(controlPlane), token, 'agents/1.0');
  await agent.get('/api/v1/pods?resourceVersion=0');
}
