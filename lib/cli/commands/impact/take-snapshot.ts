import { conditionOf, group, isPlainObject, pinionKinds, textAt, valueAt } from '../../../api';
import { mapConcurrently } from '../../../artifact';
import {
  childSelector,
  snapshotFormat,
  snapshotObject,
  type ClusterSnapshot,
  type QuotaUsage,
  type SnapshotDefinition,
  type SnapshotObject,
} from '../../../impact';
import { type LiveObject } from '../../../kube';
import { maxRequests, type ClusterConnection } from '../../cluster/cluster-connection';
import { clusterDefinitions } from '../crds/cluster-definitions';
import { requestsByNode } from './requests-by-node';

/** Kinds of objects that have pods. */
const childKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job'];

/** Reads what an impact needs to know of a cluster: lists only, and neither Secrets nor ConfigMaps. */
export async function takeSnapshot(connection: ClusterConnection, name: string): Promise<ClusterSnapshot> {
  const unread: string[] = [];
  const list = listing(connection, unread);
  const listAll = async (kinds: readonly string[], labelSelector?: string): Promise<readonly LiveObject[]> =>
    (await mapConcurrently(kinds, (kind) => list(kind, labelSelector), maxRequests)).flat();
  /** Returns a list only if all of it could be read. */
  const whole = async <T>(read: () => Promise<readonly T[]>): Promise<readonly T[] | undefined> => {
    const before = unread.length;
    const found = await read();
    return unread.length === before ? found : undefined;
  };
  const resources = await listAll(Object.keys(pinionKinds));
  const children = await whole(() => listAll(childKinds, childSelector));
  const nodes = await list('Node');
  const quotas = await whole(() => list('ResourceQuota'));
  const requested = await requestsByNode(connection, unread);
  const definitions = await ownDefinitionsOf(connection, unread);
  return {
    format: snapshotFormat,
    name,
    taken: new Date(connection.clock.now()).toISOString(),
    resources: resources.map(snapshotted),
    ...(children && { children: children.map(snapshotted) }),
    nodes: nodes.map(snapshotted),
    ...(requested && { requested }),
    ...(quotas && { quotas: usageByProject(quotas) }),
    ...(definitions && { definitions }),
    unread,
  };
}

/** Returns a list of a kind; empty if the cluster does not have it, or does not allow to read it, which is noted. */
function listing({ client, kube }: ClusterConnection, unread: string[]) {
  return async (kind: string, labelSelector?: string): Promise<readonly LiveObject[]> => {
    try {
      return await kube.listAllPages(client, kind, labelSelector === undefined ? {} : { labelSelector });
    } catch (error) {
      if (kube.isApiError(error, 403)) unread.push(`${kind}: listing is not permitted in the whole cluster`);
      else if (!kube.isApiError(error, 404)) throw error;
      return [];
    }
  };
}

/** Returns the definitions of pinion's kinds; undefined if they may not be read, which is noted. */
async function ownDefinitionsOf(
  connection: ClusterConnection,
  unread: string[],
): Promise<readonly SnapshotDefinition[] | undefined> {
  const names = Object.values(pinionKinds).map(({ plural }) => `${plural}.${group}`);
  try {
    const found = await clusterDefinitions(names, connection);
    return found.map(({ apiVersion, kind, metadata: { name }, spec }) => ({
      apiVersion,
      kind,
      metadata: { name },
      spec,
    }));
  } catch (error) {
    if (!connection.kube.isApiError(error, 403)) throw error;
    unread.push('CustomResourceDefinition: reading is not permitted');
    return undefined;
  }
}

/** Lists of the API server have the conditions of a status, which may quote other objects; only whether it is Ready is needed. */
function snapshotted(object: LiveObject): SnapshotObject {
  const { apiVersion, kind, metadata, spec, status } = object as LiveObject & SnapshotObject;
  return snapshotObject({
    apiVersion,
    kind,
    metadata,
    spec,
    ...(isPlainObject(status) && { status: statusOf(status) }),
  });
}

const statusFields = [
  ...[
    'observedGeneration',
    'phase',
    'runtimeProfile',
    ...['platformRevision', 'projectRevision', 'revisions', 'transit'],
    'deployedSpecHash',
    'expansion',
    'replicas',
    'runtime',
    'allocatable',
  ],
  ...['desiredNumberScheduled', 'numberReady', 'readyReplicas', 'updatedReplicas', 'active', 'succeeded', 'failed'],
];

function statusOf(status: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = Object.entries(status).filter(([field]) => statusFields.includes(field));
  const ready = conditionOf(status, 'Ready')?.status;
  return {
    ...Object.fromEntries(fields),
    ...(ready !== undefined && { conditions: [{ type: 'Ready', status: ready }] }),
  };
}

function usageByProject(quotas: readonly LiveObject[]): Record<string, QuotaUsage[]> {
  const found: Record<string, QuotaUsage[]> = {};
  for (const quota of quotas) {
    const { namespace = '' } = quota.metadata;
    (found[namespace] ??= []).push({ hard: amountsAt(quota, 'hard'), used: amountsAt(quota, 'used') });
  }
  return found;
}

function amountsAt(quota: LiveObject, field: 'hard' | 'used'): Readonly<Record<string, string>> {
  const amounts = valueAt(quota, ['status', field]);
  const names = isPlainObject(amounts) ? Object.keys(amounts) : [];
  return Object.fromEntries(
    names.flatMap((name) => {
      const amount = textAt(amounts, name);
      return amount === undefined ? [] : [[name, amount]];
    }),
  );
}
