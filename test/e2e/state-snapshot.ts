import { group, type PinionKind, pinionKinds, version } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { type AuditEvent, type AuditMark } from '../control-plane/audit';
import { waitFor } from '../control-plane/wait-for';
import { type ControllerProcess } from '../local/controller-process';
import { controllerUser, type LiveCustomResource, type PinionCluster } from './pinion-suite';

interface Listed {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly kind: string;
  readonly status?: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
}

/** State by kind and name that changes when a pod restarts or an object is recreated. */
export type StateSnapshot = Readonly<Record<string, string>>;

const children =
  'deployment,replicaset,statefulset,daemonset,job,cronjob,service,configmap,serviceaccount,persistentvolumeclaim,poddisruptionbudget,role,rolebinding,networkpolicy,horizontalpodautoscaler,ingress,resourcequota,limitrange';

/** Lists all objects that pinion creates in namespaces. */
export async function listChildren(pinion: PinionCluster, namespaces: readonly string[]): Promise<readonly Listed[]> {
  return (await Promise.all(namespaces.map((namespace) => list(pinion, children, namespace)))).flat();
}

async function list({ cluster }: PinionCluster, kinds: string, namespace: string): Promise<readonly Listed[]> {
  const result = await cluster.kubectl(['get', kinds, '-n', namespace, '-o', 'json']);
  if (result.code !== 0) throw new Error(result.stderr);
  return (JSON.parse(result.stdout) as { items: readonly Listed[] }).items;
}

/** Returns UID, generation and container restarts of the pods and objects in namespaces. */
export async function takeSnapshot(pinion: PinionCluster, namespaces: readonly string[]): Promise<StateSnapshot> {
  const pods = (await Promise.all(namespaces.map((namespace) => list(pinion, 'pod', namespace)))).flat();
  const objects = await listChildren(pinion, namespaces);
  return Object.fromEntries(
    [...pods, ...objects].map(({ kind, metadata, status }) => [
      `${kind} ${metadata.namespace}/${metadata.name}`,
      [
        metadata.uid,
        // Annotations increase the generation of a Deployment; its ReplicaSets show whether its pods changed.
        ...(kind === 'Deployment' ? [] : [`generation ${metadata.generation ?? 0}`]),
        ...(metadata.deletionTimestamp === undefined ? [] : ['is being deleted']),
        ...(status?.containerStatuses ?? []).map(({ restartCount }) => `${restartCount} restarts`),
      ].join(', '),
    ]),
  );
}

/** Lists all pinion custom resources in the cluster. */
export async function listCustomResources({ cluster }: PinionCluster): Promise<readonly LiveCustomResource[]> {
  const kinds = Object.keys(pinionKinds) as PinionKind[];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const path = `/apis/${group}/${version}/${pinionKinds[kind].plural}`;
      // A CRD that was just changed responds with 429 until its store is ready.
      const { body } = await waitFor(`the list of ${kind}`, async () => {
        const response = await cluster.client.request('GET', path);
        return response.status === 429 ? undefined : expectStatus(response, [200]);
      });
      return (body as { readonly items: readonly LiveCustomResource[] }).items;
    }),
  );
  return lists.flat();
}

/** Milliseconds without a reconcile after which a controller counts as idle; workload counts are written every five seconds. */
const idleTime = 6000;

/** Waits until a controller has reconciled every custom resource and is idle. */
export async function waitUntilIdle(pinion: PinionCluster, controller: ControllerProcess): Promise<void> {
  const count = (await listCustomResources(pinion)).length;
  let reconciles = 0;
  let since = Date.now();
  await waitFor(
    'the controller to have reconciled all custom resources',
    async () => {
      const { text } = await controller.get('/metrics');
      const now = sumOf(text, 'pinion_reconcile_total');
      const isBusy = sumOf(text, 'workqueue_depth') > 0 || sumOf(text, 'workqueue_unfinished_work_seconds') > 0;
      if (now !== reconciles || isBusy) since = Date.now();
      reconciles = now;
      return reconciles >= count && Date.now() - since >= idleTime;
    },
    { timeout: 120_000, interval: 250 },
  );
}

const sumOf = (metrics: string, name: string): number =>
  [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+]+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

/** Returns the writes of the controller since a mark, except lease and events: verb, resource and name. */
export const changesSince = ({ cluster }: PinionCluster, mark: AuditMark): readonly string[] =>
  cluster.audit.since(mark, { user: controllerUser }).filter(isChange).map(describeRequest);

const isChange = ({ verb, objectRef }: AuditEvent): boolean =>
  !['get', 'list', 'watch'].includes(verb) && objectRef?.resource !== 'leases' && objectRef?.resource !== 'events';

const describeRequest = ({ verb, objectRef: { resource, subresource, namespace, name } = {} }: AuditEvent): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''} ${namespace ? `${namespace}/` : ''}${name}`;
