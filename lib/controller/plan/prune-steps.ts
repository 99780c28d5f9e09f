import { nativeKinds } from '../../api';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput, type PlanStep } from './plan-step';
import { isServing, successorsOf } from './handover';
import { isRolledOut } from './rolled-out';
import { destructiveChange } from './change-strategy';

const order = new Map(Object.keys(nativeKinds).map((kind, index) => [kind, index]));

/** Returns the steps for children that are no longer desired, last created first. */
export function pruneSteps(input: PlanInput): {
  readonly steps: readonly PlanStep[];
  readonly blockingIssues: readonly BlockingIssue[];
  /** Whether children stay until others have replaced them. */
  readonly waits: boolean;
} {
  const desiredNames = new Set(input.desired.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const desiredKeys = new Set(
    input.desired.map(({ kind, metadata }) => keyOf(kind, metadata.namespace ?? input.namespace, metadata.name)),
  );
  const undesired = input.observed.owned
    .filter((child) => child.controller?.uid === input.owner.uid && !child.deleting)
    // Objects of the platform itself may move to another namespace.
    .filter(({ kind, name, namespace }) => !desiredKeys.has(keyOf(kind, namespace || input.namespace, name)));
  const predecessorObjects = ofPredecessor(input, desiredNames);
  if (undesired.length === 0)
    return { steps: predecessorObjects.map((child) => removal(child)), blockingIssues: [], waits: false };
  const claims = input.allowLoss.has('Claims') ? [] : undesired.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const serving = undesired.filter((child) => isServing(child, input));
  const removed = undesired.filter(
    (child) => !claims.includes(child) && !serving.includes(child) && !isInUse(child, input),
  );
  return {
    steps: [...removed, ...predecessorObjects]
      .sort((a, b) => rankOf(b) - rankOf(a) || (a.name < b.name ? -1 : 1))
      .map((child) => (removed.includes(child) ? removalOf(child, input) : removal(child))),
    waits: serving.length > 0,
    blockingIssues: claims.slice(0, 1).map((claim) => claimsRetained(claim, claims.length)),
  };
}

/**
 * Returns the step that deletes an undesired child.
 *
 * A Job exists until its pods have ended: the Job controller counts the pods that it is still to see by the name of the
 * Job, and one of the same name that follows too early is given no pods for five minutes.
 */
export const removal = (
  target: Child,
  propagation = target.kind === 'Job' ? ('Foreground' as const) : ('Background' as const),
): PlanStep => ({ do: 'delete', target, propagation, reason: 'unwanted' });

/** Returns the step that deletes an undesired child; one that others replaced exists until its pods have ended. */
const removalOf = (target: Child, input: PlanInput): PlanStep =>
  successorsOf(target, input).length > 0 ? removal(target, 'Foreground') : removal(target);

/**
 * Returns whether the custom resource is the current one of its name, as just read: then objects of earlier ones must
 * be deleted.
 *
 * The garbage collector may miss them: an owner that is deleted and recreated under the same name while its watch is
 * interrupted looks changed, and the dependents of the old one are never deleted.
 */
export const isCurrentResource = ({ owner, full }: PlanInput): boolean =>
  full?.(owner.kind, owner.name)?.metadata.uid === owner.uid;

/** Returns what an earlier custom resource of the same name owned and the current one does not desire. */
function ofPredecessor(input: PlanInput, desiredNames: ReadonlySet<string>): readonly Child[] {
  const predecessorObjects = (input.observed.ownedByPredecessor ?? []).filter(
    ({ kind, name, deleting }) => !deleting && !desiredNames.has(`${kind}/${name}`),
  );
  return predecessorObjects.length > 0 && isCurrentResource(input) ? predecessorObjects : [];
}

const keyOf = (kind: string, namespace: string, name: string): string => `${kind}/${namespace}/${name}`;

const rankOf = ({ kind }: Child): number => order.get(kind) ?? order.size;

const claimsRetained = (claim: Child, count: number): BlockingIssue =>
  destructiveChange(
    claim,
    count === 1
      ? `Claim ${claim.name} is no longer desired, and deleting it would lose its data.`
      : `Claim ${claim.name} and ${count - 1} others are no longer desired, and deleting them would lose their data.`,
    'Claims',
  );

/** Returns whether pods of an older revision may still start with a ConfigMap that is named by its content. */
function isInUse({ kind, name }: Child, { inUse, observed }: PlanInput): boolean {
  if (kind !== 'ConfigMap') return false;
  return inUse ? inUse(kind, name) : !observed.owned.every(isRolledOut);
}
