import { group, type PinionKind, pinionKinds, version } from '../../lib/api';
import { expectStatus } from '../control-plane/answer';
import { type AuditEvent, type AuditMark } from '../control-plane/audit';
import { waitFor } from '../control-plane/wait-for';
import { type ControllerProcess } from '../local/controller-process';
import { controllerUser, type LiveDocument, type PinionCluster } from './pinion-suite';

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

/** What a restart of pods, or an object made anew, would change; by kind and name. */
export type Standing = Readonly<Record<string, string>>;

const children =
  'deployment,replicaset,statefulset,daemonset,job,cronjob,service,configmap,serviceaccount,persistentvolumeclaim,poddisruptionbudget,role,rolebinding,networkpolicy,horizontalpodautoscaler,ingress,resourcequota,limitrange';

/** All objects that pinion makes in some namespaces. */
export async function childrenIn(pinion: PinionCluster, namespaces: readonly string[]): Promise<readonly Listed[]> {
  return (await Promise.all(namespaces.map((namespace) => list(pinion, children, namespace)))).flat();
}

async function list({ cluster }: PinionCluster, kinds: string, namespace: string): Promise<readonly Listed[]> {
  const said = await cluster.kubectl(['get', kinds, '-n', namespace, '-o', 'json']);
  if (said.code !== 0) throw new Error(said.stderr);
  return (JSON.parse(said.stdout) as { items: readonly Listed[] }).items;
}

/** How the pods and the objects of some namespaces stand: identity, generation, and restarts of containers. */
export async function standingOf(pinion: PinionCluster, namespaces: readonly string[]): Promise<Standing> {
  const pods = (await Promise.all(namespaces.map((namespace) => list(pinion, 'pod', namespace)))).flat();
  const objects = await childrenIn(pinion, namespaces);
  return Object.fromEntries(
    [...pods, ...objects].map(({ kind, metadata, status }) => [
      `${kind} ${metadata.namespace}/${metadata.name}`,
      [
        metadata.uid,
        // A Deployment counts its annotations too; its ReplicaSets tell whether its pods changed.
        ...(kind === 'Deployment' ? [] : [`generation ${metadata.generation ?? 0}`]),
        ...(metadata.deletionTimestamp === undefined ? [] : ['is leaving']),
        ...(status?.containerStatuses ?? []).map(({ restartCount }) => `${restartCount} restarts`),
      ].join(', '),
    ]),
  );
}

/** All documents of ours in the cluster. */
export async function allDocuments({ cluster }: PinionCluster): Promise<readonly LiveDocument[]> {
  const kinds = Object.keys(pinionKinds) as PinionKind[];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const path = `/apis/${group}/${version}/${pinionKinds[kind].plural}`;
      // A definition that was changed a moment ago answers 429 until its store is ready.
      const { body } = await waitFor(`the list of ${kind}`, async () => {
        const answer = await cluster.client.request('GET', path);
        return answer.status === 429 ? undefined : expectStatus(answer, [200]);
      });
      return (body as { readonly items: readonly LiveDocument[] }).items;
    }),
  );
  return lists.flat();
}

/** How long no pass may be made until a controller counts as idle, in milliseconds; counts of workloads are written every five seconds. */
const idleTime = 6000;

/** Waits until a controller has been through every document and has nothing more to do. */
export async function workedThrough(pinion: PinionCluster, controller: ControllerProcess): Promise<void> {
  const count = (await allDocuments(pinion)).length;
  let passes = 0;
  let since = Date.now();
  await waitFor(
    'the controller to have been through all documents',
    async () => {
      const { text } = await controller.ask('/metrics');
      const now = sumOf(text, 'pinion_reconcile_total');
      const busy = sumOf(text, 'workqueue_depth') > 0 || sumOf(text, 'workqueue_unfinished_work_seconds') > 0;
      if (now !== passes || busy) since = Date.now();
      passes = now;
      return passes >= count && Date.now() - since >= idleTime;
    },
    { timeout: 120_000, interval: 250 },
  );
}

const sumOf = (metrics: string, name: string): number =>
  [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+]+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

/** What the controller changed since a mark, its lease and its events apart: verb, resource and name. */
export const changesSince = ({ cluster }: PinionCluster, mark: AuditMark): readonly string[] =>
  cluster.audit.since(mark, { user: controllerUser }).filter(isChange).map(described);

const isChange = ({ verb, objectRef }: AuditEvent): boolean =>
  !['get', 'list', 'watch'].includes(verb) && objectRef?.resource !== 'leases' && objectRef?.resource !== 'events';

const described = ({ verb, objectRef: { resource, subresource, namespace, name } = {} }: AuditEvent): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''} ${namespace ? `${namespace}/` : ''}${name}`;
