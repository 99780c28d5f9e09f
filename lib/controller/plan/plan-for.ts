import { type KubernetesObject } from '../../expand';
import { type LiveObject, type OwnerReference, resourceOf } from '../../client';
import { type Observed } from '../observed/child';
import { type ClusterWriter } from '../cluster-writer';
import { plan } from './plan';
import { type ReconcilePlan, type PlanInput } from './plan-step';
import { type AppliedCache } from './applied-cache';
import { type VersionHistory } from '../version-history';

/** Maximum number of rounds in which a plan may request full objects; each may reveal further ones. */
const maxRounds = 4;
/** Milliseconds until a history that Kubernetes is about to shorten is read again. */
const historyInterval = 1000;

/** Custom resource, and the input of its plan. */
export interface PlanRequest {
  readonly live: LiveObject;
  /** Namespace of the children; empty if they have none. */
  readonly namespace: string;
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly adopt: boolean;
  readonly allowLoss: ReadonlySet<'Claims' | 'Progress'>;
  readonly unowned?: ReadonlySet<string>;
  readonly untouched?: ReadonlySet<string>;
  readonly appliedCache: AppliedCache;
}

/**
 * Plans the steps for a resource; reads full objects from the API server if the plan requests them.
 */
export async function planFor(request: PlanRequest, writer: ClusterWriter): Promise<ReconcilePlan> {
  const { live, namespace, desired, observed, adopt, allowLoss, unowned, untouched, appliedCache } = request;
  const read = new Map<string, LiveObject | undefined>();
  const missing = new Set<string>();
  const history = await historyOf(live, observed, desired, writer);
  const input: PlanInput = {
    owner: ownerReference(live),
    namespace,
    desired,
    observed,
    adopt,
    allowLoss,
    appliedCache,
    ...(unowned && { unowned }),
    ...(untouched && { untouched }),
    full: (kind, name) => {
      const key = `${kind}/${name}`;
      if (!read.has(key)) missing.add(key);
      return read.get(key);
    },
    inUse: (kind, name) => kind === 'ConfigMap' && history.configMaps.has(name),
  };
  for (let round = 1; ; round++) {
    const result = plan(input);
    if (missing.size === 0 || round === maxRounds) {
      appliedCache.update(input, result);
      return history.shrinking ? { ...result, requeueAfter: historyInterval } : result;
    }
    for (const key of missing) {
      const [kind = '', name = ''] = key.split('/');
      read.set(key, await writer.read(kind, resourceOf(kind).namespaced ? namespace : '', name));
    }
    missing.clear();
  }
}

const noHistory: VersionHistory = { configMaps: new Set(), shrinking: false };

/** Returns the ConfigMaps that old revisions of a workload reference; fetched only if one is no longer desired. */
async function historyOf(
  live: LiveObject,
  observed: Observed,
  desired: readonly KubernetesObject[],
  writer: ClusterWriter,
): Promise<VersionHistory> {
  const desiredNames = new Set(desired.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name));
  const hasUndesired = observed.owned.some(({ kind, name }) => kind === 'ConfigMap' && !desiredNames.has(name));
  return hasUndesired ? writer.history(live, observed) : noHistory;
}

/** Returns the owner reference for the children of a resource. */
const ownerReference = ({ apiVersion, kind, metadata }: LiveObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});
