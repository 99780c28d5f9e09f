import { selectorStrategy, statefulSetStrategy, notExpandable } from './claim-plan';
import { compareStorage } from './claims-of-set';
import { jobStrategy } from './job-plan';
import { firstDifference } from './satisfies';
import { specOf } from './spec-of';
import { type PendingChange, destructiveChange, type ChangeStrategy } from './change-strategy';

/** Strategies for kinds with immutable fields; other kinds are simply applied. */
const ways: Readonly<Record<string, (change: PendingChange) => ChangeStrategy>> = {
  StatefulSet: statefulSetStrategy,
  Deployment: selectorStrategy,
  DaemonSet: selectorStrategy,
  Job: jobStrategy,
  PersistentVolumeClaim: claimWay,
  Service: serviceWay,
  ConfigMap: (change) =>
    change.live['immutable'] === true
      ? replacedWhere(change, ['data', 'binaryData', 'immutable'])
      : { object: change.desired },
  RoleBinding: (change) => replacedWhere(change, ['roleRef']),
  ClusterRoleBinding: (change) => replacedWhere(change, ['roleRef']),
  PriorityClass: (change) => replacedWhere(change, ['value', 'preemptionPolicy']),
  ResourceQuota: quotaWay,
};

/** Returns the strategy to bring an object to its desired state. */
export const changeStrategyOf = (change: PendingChange): ChangeStrategy =>
  ways[change.desired.kind]?.(change) ?? { object: change.desired };

/** Recreates an object if one of the fields differs; nothing is lost. */
function replacedWhere({ desired, live }: PendingChange, fields: readonly string[]): ChangeStrategy {
  const wanted = Object.fromEntries(fields.map((field) => [field, desired[field]]));
  const differs =
    firstDifference({ kind: desired.kind, ...wanted }, live) !== undefined ||
    // Keys that are no longer desired cannot be removed either.
    (wanted['data'] !== undefined && countOf(live['data']) !== countOf(wanted['data']));
  return differs ? { replace: 'Background' } : { object: desired };
}

/** A Service keeps its cluster IP for life, and a headless one stays headless. */
function serviceWay({ desired, live }: PendingChange): ChangeStrategy {
  const [wanted, found] = [specOf(desired), specOf(live)];
  if (wanted['type'] === 'ExternalName' || found['type'] === 'ExternalName') return { object: desired };
  const isHeadless = (wanted['clusterIP'] === 'None') === (found['clusterIP'] === 'None');
  const address = wanted['clusterIP'] === undefined || wanted['clusterIP'] === found['clusterIP'];
  return isHeadless && address ? { object: desired } : { replace: 'Background' };
}

function quotaWay({ desired, live }: PendingChange): ChangeStrategy {
  const scopes = (object: object) =>
    JSON.stringify([specOf(object)['scopes'] ?? [], specOf(object)['scopeSelector'] ?? {}]);
  return scopes(desired) === scopes(live) ? { object: desired } : { replace: 'Background' };
}

/** A claim can only grow, if its class allows expansion. */
function claimWay(change: PendingChange): ChangeStrategy {
  const { desired, child, live, input } = change;
  const { resources: _, ...rest } = specOf(desired);
  const size = compareStorage(desired, live);
  const differs = firstDifference({ kind: desired.kind, spec: rest }, live) !== undefined;
  if (differs || size < 0) {
    if (input.allowLoss.has('Claims')) return { replace: 'Background' };
    const what = `Claim ${child.name} cannot shrink, or change its class or mode: it would be deleted with its data.`;
    return { object: { ...desired, spec: specOf(live) }, obstacles: [destructiveChange(child, what, 'Claims')] };
  }
  const refusal = size > 0 ? input.appliedCache?.rejectionOf(desired) : undefined;
  return refusal === undefined ? { object: desired } : { obstacles: [notExpandable(child.name, refusal)] };
}

const countOf = (map: unknown): number => Object.keys(map ?? {}).length;
