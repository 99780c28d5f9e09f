import {
  type PlatformManifest,
  type PinionKind,
  pinionKinds,
  type WorkloadKind,
  workloadKinds,
} from '../../../lib/api';
import { childKinds } from '../../../lib/controller/observed/informer-stores';
import { type LiveObject, resourceOf } from '../../../lib/kube';
import { parseManifest } from '../../../lib/api';
import { writtenPart } from '../../../lib/controller/written-part';
import { expectStatus } from '../../control-plane/api-response';
import { type Client } from '../../control-plane/client';
import { inParallel } from '../cluster-setup';

/** State of namespaces in the API server. */
export interface ClusterSnapshot {
  /** Workloads by UID. */
  readonly documents: ReadonlyMap<string, LiveObject>;
  /** Objects of all kinds that workloads expand to. */
  readonly children: readonly LiveObject[];
  readonly pods: readonly LiveObject[];
  /** ReplicaSets and ControllerRevisions. */
  readonly histories: readonly LiveObject[];
  readonly platform: readonly PlatformManifest[];
}

const platformKinds = (Object.keys(pinionKinds) as PinionKind[]).filter((kind) => !Object.hasOwn(workloadKinds, kind));

/** Reads the state of namespaces. */
export async function takeClusterSnapshot(client: Client, namespaces: readonly string[]): Promise<ClusterSnapshot> {
  const all = (kinds: readonly string[]): Promise<LiveObject[]> =>
    inParallel(
      kinds.flatMap((kind) =>
        resourceOf(kind).namespaced ? namespaces.map((namespace) => ({ kind, namespace })) : [],
      ),
      ({ kind, namespace }) => list(client, kind, namespace),
    ).then((lists) => lists.flat());
  const documents = await all(Object.keys(workloadKinds) as WorkloadKind[]);
  const platform = (await Promise.all(platformKinds.map((kind) => list(client, kind)))).flat();
  return {
    documents: new Map(documents.map((document) => [document.metadata.uid, document])),
    children: await all(childKinds),
    pods: await all(['Pod']),
    histories: await all(['ReplicaSet', 'ControllerRevision']),
    platform: platform.map((document) => parseManifest(writtenPart(document) as never) as PlatformManifest),
  };
}

/** Lists all objects of a kind in a namespace. */
export async function list(client: Client, kind: string, namespace?: string): Promise<LiveObject[]> {
  const { apiVersion, plural } = resourceOf(kind);
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
  const { body } = expectStatus(await client.request('GET', path), [200]);
  return (body as { readonly items: readonly LiveObject[] }).items.map((item) => ({ ...item, apiVersion, kind }));
}

/** Returns the controller owner reference of an object. */
export const ownerOf = ({ metadata }: LiveObject) =>
  (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
