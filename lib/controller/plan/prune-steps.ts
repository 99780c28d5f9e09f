import { nativeKinds } from '../../api';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput, type PlanStep } from './plan-step';
import { isRolledOut } from './rolled-out';
import { destructiveChange } from './change-strategy';

const order = new Map(Object.keys(nativeKinds).map((kind, index) => [kind, index]));

/** Returns the steps for children that are no longer desired, last created first. */
export function pruneSteps(input: PlanInput): {
  readonly steps: readonly PlanStep[];
  readonly obstacles: readonly BlockingIssue[];
} {
  const wanted = new Set(input.desired.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const places = new Set(
    input.desired.map(({ kind, metadata }) => placeOf(kind, metadata.namespace ?? input.namespace, metadata.name)),
  );
  const unwanted = input.observed.owned
    .filter((child) => child.controller?.uid === input.owner.uid && !child.deleting)
    // Objects that the platform creates for itself may move to another namespace.
    .filter(({ kind, name, namespace }) => !places.has(placeOf(kind, namespace || input.namespace, name)));
  const left = leftByEarlier(input, wanted);
  if (unwanted.length === 0) return { steps: left.map(removal), obstacles: [] };
  const claims = input.allowLoss.has('Claims') ? [] : unwanted.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const removed = unwanted.filter((child) => !claims.includes(child) && !isInUse(child, input));
  return {
    steps: [...removed, ...left].sort((a, b) => rankOf(b) - rankOf(a) || (a.name < b.name ? -1 : 1)).map(removal),
    obstacles: claims.slice(0, 1).map((claim) => claimsLeft(claim, claims.length)),
  };
}

/** Returns the step that deletes an undesired child. */
export const removal = (target: Child): PlanStep => ({
  do: 'delete',
  target,
  propagation: 'Background',
  why: 'unwanted',
});

/**
 * Returns whether the custom resource is the current one of its name, as just read: then objects of earlier ones are to
 * be deleted.
 *
 * The garbage collector may miss them: an owner that is deleted and recreated under the same name while its watch is
 * interrupted looks changed, and the dependents of the old one stay forever.
 */
export const isOnlyOne = ({ owner, full }: PlanInput): boolean =>
  full?.(owner.kind, owner.name)?.metadata.uid === owner.uid;

/** Returns what an earlier custom resource of the same name owned and the current one does not desire. */
function leftByEarlier(input: PlanInput, wanted: ReadonlySet<string>): readonly Child[] {
  const left = (input.observed.leaving ?? []).filter(
    ({ kind, name, deleting }) => !deleting && !wanted.has(`${kind}/${name}`),
  );
  return left.length > 0 && isOnlyOne(input) ? left : [];
}

const placeOf = (kind: string, namespace: string, name: string): string => `${kind}/${namespace}/${name}`;

const rankOf = ({ kind }: Child): number => order.get(kind) ?? order.size;

const claimsLeft = (claim: Child, count: number): BlockingIssue =>
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
