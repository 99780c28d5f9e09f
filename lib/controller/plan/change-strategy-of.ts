import { firstDifference } from '../../expand';
import { selectorStrategy, statefulSetStrategy, notExpandable } from './claim-plan';
import { type Child } from '../observed/child';
import { compareStorage } from './claims-of-set';
import { jobStrategy } from './job-plan';
import { type BlockingIssue } from './plan-step';
import { specOf } from './spec-of';
import { type PendingChange, destructiveChange, type ChangeStrategy } from './change-strategy';

/** Strategies for kinds with immutable fields; other kinds are applied as they are. */
const strategies: Readonly<Record<string, (change: PendingChange) => ChangeStrategy>> = {
  StatefulSet: statefulSetStrategy,
  Deployment: selectorStrategy,
  DaemonSet: selectorStrategy,
  Job: jobStrategy,
  PersistentVolumeClaim: claimStrategy,
  Service: serviceStrategy,
  ConfigMap: (change) =>
    change.live['immutable'] === true
      ? replaceIfChanged(change, ['data', 'binaryData', 'immutable'])
      : { object: change.desired },
  // Recreated at once: until then its subjects have no permissions.
  RoleBinding: (change) => ({ ...replaceIfChanged(change, ['roleRef']), object: change.desired }),
  PriorityClass: (change) => replaceIfChanged(change, ['value', 'preemptionPolicy']),
  ResourceQuota: quotaStrategy,
};

/** Returns the strategy to bring an object to its desired state. */
export const changeStrategyOf = (change: PendingChange): ChangeStrategy =>
  strategies[change.desired.kind]?.(change) ?? { object: change.desired };

/** Recreates an object if one of the fields differs; nothing is lost. */
function replaceIfChanged({ desired, live }: PendingChange, fields: readonly string[]): ChangeStrategy {
  const desiredFields = Object.fromEntries(fields.map((field) => [field, desired[field]]));
  const differs =
    firstDifference({ kind: desired.kind, ...desiredFields }, live) !== undefined ||
    // Keys that are no longer desired cannot be removed either.
    (desiredFields['data'] !== undefined && countOf(live['data']) !== countOf(desiredFields['data']));
  return differs ? { replace: 'Background' } : { object: desired };
}

/**
 * A Service keeps its cluster IP for life, and a headless one stays headless. One of another client is not adopted if it
 * would be recreated: its clients would lose its address.
 */
function serviceStrategy({ desired, live, adopting, child }: PendingChange): ChangeStrategy {
  const [desiredSpec, liveSpec] = [specOf(desired), specOf(live)];
  if (desiredSpec['type'] === 'ExternalName' || liveSpec['type'] === 'ExternalName') return { object: desired };
  const sameHeadless = (desiredSpec['clusterIP'] === 'None') === (liveSpec['clusterIP'] === 'None');
  const sameAddress = desiredSpec['clusterIP'] === undefined || desiredSpec['clusterIP'] === liveSpec['clusterIP'];
  if (sameHeadless && sameAddress) return { object: desired };
  return adopting ? { blockingIssues: [addressConflict(child, liveSpec['clusterIP'])] } : { replace: 'Background' };
}

const addressConflict = ({ kind, name }: Child, address: unknown): BlockingIssue => ({
  reason: 'NameConflict',
  kind,
  name,
  message: `${kind} ${name} ${address === 'None' ? 'is headless' : 'has an address of its own'}, which cannot change, so it cannot be adopted without interrupting its clients. Delete it once nothing uses it, or use another name in the custom resource.`,
  owner: 'application',
});

function quotaStrategy({ desired, live }: PendingChange): ChangeStrategy {
  const scopes = (object: object) =>
    JSON.stringify([specOf(object)['scopes'] ?? [], specOf(object)['scopeSelector'] ?? {}]);
  return scopes(desired) === scopes(live) ? { object: desired } : { replace: 'Background' };
}

/** A claim can only grow, if its class allows expansion. */
function claimStrategy(change: PendingChange): ChangeStrategy {
  const { desired, child, live, input } = change;
  const { resources: _, ...rest } = specOf(desired);
  const size = compareStorage(desired, live);
  const differs = firstDifference({ kind: desired.kind, spec: rest }, live) !== undefined;
  if (differs || size < 0) {
    if (input.allowLoss.has('Claims')) return { replace: 'Background' };
    const problem = `Claim ${child.name} cannot shrink, or change its class or mode: it would be deleted with its data.`;
    return {
      object: { ...desired, spec: specOf(live) },
      blockingIssues: [destructiveChange(child, problem, 'Claims')],
    };
  }
  const rejection = size > 0 ? input.appliedCache?.rejectionOf(desired) : undefined;
  return rejection === undefined ? { object: desired } : { blockingIssues: [notExpandable(child.name, rejection)] };
}

const countOf = (map: unknown): number => Object.keys(map ?? {}).length;
