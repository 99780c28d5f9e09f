import { type KubernetesObject } from '../../expand';
import { type LiveObject, type OwnerReference, resourceOf } from '../../kube';
import { type Observed } from '../observed/child';
import { type ClusterWriter } from '../cluster-writer';
import { plan } from './plan';
import { type ReconcilePlan, type PlanInput } from './plan-step';
import { type AppliedCache } from './applied-cache';
import { type VersionHistory } from '../version-history';

/** Maximum rounds in which a plan may request full objects; each may lead to further objects. */
const maxRounds = 4;
/** Milliseconds until a history that Kubernetes is about to shorten is read again. */
const historyInterval = 1000;

/** Input of a plan besides the custom resource. */
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
 * Plans for a resource; reads from the API server the full objects that the plan requests and the stores do not have.
 */
export async function planFor(request: PlanRequest, writer: ClusterWriter): Promise<ReconcilePlan> {
  const { live, namespace, desired, observed, adopt, allowLoss, unowned, untouched, appliedCache } = request;
  const read = new Map<string, LiveObject | undefined>();
  const asked = new Set<string>();
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
      const place = `${kind}/${name}`;
      if (!read.has(place)) asked.add(place);
      return read.get(place);
    },
    inUse: (kind, name) => kind === 'ConfigMap' && history.configMaps.has(name),
  };
  for (let round = 1; ; round++) {
    const made = plan(input);
    if (asked.size === 0 || round === maxRounds) {
      appliedCache.update(input, made);
      return history.shrinking ? { ...made, requeueAfter: historyInterval } : made;
    }
    for (const place of asked) {
      const [kind = '', name = ''] = place.split('/');
      read.set(place, await writer.read(kind, resourceOf(kind).namespaced ? namespace : '', name));
    }
    asked.clear();
  }
}

const noHistory: VersionHistory = { configMaps: new Set(), shrinking: false };

/** Returns what old revisions of the workload still refer to; read only if a ConfigMap is no longer desired. */
async function historyOf(
  live: LiveObject,
  observed: Observed,
  desired: readonly KubernetesObject[],
  writer: ClusterWriter,
): Promise<VersionHistory> {
  const wanted = new Set(desired.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name));
  const unwanted = observed.owned.some(({ kind, name }) => kind === 'ConfigMap' && !wanted.has(name));
  return unwanted ? writer.history(live, observed) : noHistory;
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
