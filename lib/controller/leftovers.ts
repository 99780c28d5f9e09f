import { nativeKinds } from '../api';
import { type Child } from './child';
import { type Obstacle, type PlanInput, type Step } from './plan-step';
import { isRolledOut } from './rolled-out';
import { needsConsent } from './way';

const order = new Map(Object.keys(nativeKinds).map((kind, index) => [kind, index]));

/** Children that nobody wants any more: what is done about them, last made first. */
export function leftovers(input: PlanInput): {
  readonly steps: readonly Step[];
  readonly obstacles: readonly Obstacle[];
} {
  const wanted = new Set(input.desired.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const unwanted = input.observed.owned
    .filter((child) => child.controller?.uid === input.owner.uid && !child.deleting)
    .filter(({ kind, name }) => !wanted.has(`${kind}/${name}`));
  if (unwanted.length === 0) return { steps: [], obstacles: [] };
  const claims = input.allowLoss.has('claims') ? [] : unwanted.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const removed = unwanted.filter((child) => !claims.includes(child) && !isInUse(child, input));
  return {
    steps: removed
      .sort((a, b) => rankOf(b) - rankOf(a) || (a.name < b.name ? -1 : 1))
      .map((target): Step => ({ do: 'delete', target, propagation: 'Background', why: 'unwanted' })),
    obstacles: claims.slice(0, 1).map((claim) => claimsLeft(claim, claims.length)),
  };
}

const rankOf = ({ kind }: Child): number => order.get(kind) ?? order.size;

const claimsLeft = (claim: Child, count: number): Obstacle =>
  needsConsent(
    claim,
    count === 1
      ? `Claim ${claim.name} is no longer wanted, and deleting it would lose its data.`
      : `Claim ${claim.name} and ${count - 1} others are no longer wanted, and deleting them would lose their data.`,
    'claims',
  );

/** Pods of an older version may still start with a ConfigMap whose name came from its content. */
function isInUse({ kind, name }: Child, { inUse, observed }: PlanInput): boolean {
  if (kind !== 'ConfigMap') return false;
  return inUse ? inUse(kind, name) : !observed.owned.every(isRolledOut);
}
