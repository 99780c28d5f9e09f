import { nativeKinds } from '../../api';
import { firstDifference, immutableFieldsOf, type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import {
  type ClaimTemplate,
  claimsOfTemplate,
  compareStorage,
  templateChanges,
  claimTemplatesOf,
} from './claims-of-set';
import { type BlockingIssue, type PlanInput, type PlanStep } from './plan-step';
import { specOf } from './spec-of';
import { type PendingChange, destructiveChange, type ChangeStrategy } from './change-strategy';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the strategy to change a StatefulSet.
 *
 * Claims that grow are expanded in place. Changes of immutable fields recreate the set but keep its pods. Claims that
 * cannot be kept, because they shrink, change their class or are removed, require consent.
 */
export function statefulSetStrategy(change: PendingChange): ChangeStrategy {
  const { desired, child, live, input } = change;
  const changes = templateChanges(claimTemplatesOf(desired), claimTemplatesOf(live));
  const changedField = immutableDifference(desired, live);
  if (changedField === 'selector') return selectorChangeStrategy(change);
  if (changes.unchanged && changedField === undefined) return { object: desired };
  const kept = { object: withImmutableFieldsOf(desired, live) };
  if (changes.lost.length > 0) {
    const claims = changes.lost.flatMap((name) => claimsOfTemplate(name, child, [desired, live], input.observed));
    if (claims.length > 0) return claimLossStrategy(changes.lost, claims, changes.sameNames ? kept : {}, change);
  }
  const growth = growClaims(changes.grown, child, [desired, live], input);
  if (growth.blockingIssues.length > 0) return { ...kept, steps: growth.steps, blockingIssues: growth.blockingIssues };
  if (growth.steps.length > 0) return { steps: growth.steps, waits: true };
  return { replace: 'Orphan' };
}

function claimLossStrategy(
  lostTemplates: readonly string[],
  claims: readonly Child[],
  kept: ChangeStrategy,
  { child, input }: PendingChange,
): ChangeStrategy {
  if (!input.allowLoss.has('Claims')) {
    const problem = `StatefulSet ${child.name} has claims of the ${lostTemplates.length === 1 ? 'template' : 'templates'} ${lostTemplates.join(', ')}, which cannot shrink, change their class or mode, or be removed: they would be deleted with their data.`;
    return { ...kept, blockingIssues: [destructiveChange(child, problem, 'Claims')] };
  }
  // The claims are deleted first: they stay until their pods are deleted, and after a crash the set still shows what remains to
  // be done.
  const steps = claims
    .filter(({ deleting }) => !deleting)
    .map((target): PlanStep => ({
      do: 'delete',
      target,
      propagation: 'Background',
      reason: 'replaced',
    }));
  return { steps, replace: 'Foreground' };
}

/**
 * A selector change requires recreation: new pods would conflict with existing pods
 * of the same names, which the new selector does not match.
 */
function selectorChangeStrategy({ desired, child, live, input, adopting }: PendingChange): ChangeStrategy {
  if (adopting) return { blockingIssues: [selectorMismatch(desired, live)] };
  if (input.allowLoss.has('Progress')) return { replace: 'Foreground' };
  const problem = `${child.kind} ${child.name} selects its pods by other labels, and a selector cannot change: all pods would terminate before new ones start.`;
  return { blockingIssues: [destructiveChange(child, problem, 'Progress')] };
}

/** Returns the strategy to change a Deployment or a DaemonSet, whose selectors are immutable. */
export const selectorStrategy = (change: PendingChange): ChangeStrategy =>
  immutableDifference(change.desired, change.live) === 'selector'
    ? selectorChangeStrategy(change)
    : { object: change.desired };

function selectorMismatch({ kind, metadata: { name } }: KubernetesObject, live: object): BlockingIssue {
  const { selector } = specOf(live) as { selector?: { matchLabels?: Readonly<Record<string, string>> } };
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    reason: 'SelectorMismatch',
    kind,
    name,
    message: `${kind} ${name} selects its pods by ${labels.join(',') || 'an expression'}, which cannot change, so it cannot be adopted without terminating its pods. Give the custom resource another name and let both run until the traffic has moved (pinion import writes one), or delete the ${kind}.`,
    owner: 'application',
  };
}

/** Returns the first immutable field that differs, the selector first. */
function immutableDifference(desired: KubernetesObject, live: object): string | undefined {
  const defaults = desired.kind === 'StatefulSet' ? { podManagementPolicy: 'OrderedReady' } : {};
  const desiredSpec: Fields = { ...defaults, ...specOf(desired) };
  const spec: Fields = { ...defaults, ...specOf(live) };
  return immutableFieldsOf(desired.kind).find(
    (field) =>
      // Claims that grow keep their set.
      field !== 'volumeClaimTemplates' &&
      firstDifference({ kind: desired.kind, spec: { [field]: desiredSpec[field] } }, { spec }) !== undefined,
  );
}

function withImmutableFieldsOf(desired: KubernetesObject, live: object): KubernetesObject {
  const liveSpec = specOf(live);
  const kept = immutableFieldsOf(desired.kind).filter((field) => liveSpec[field] !== undefined);
  const { volumeClaimTemplates: _, ...desiredSpec } = specOf(desired);
  return { ...desired, spec: { ...desiredSpec, ...Object.fromEntries(kept.map((field) => [field, liveSpec[field]])) } };
}

/** Returns steps that expand the existing claims of templates, and rejections of the API server. */
export function growClaims(
  templates: readonly ClaimTemplate[],
  set: Child | KubernetesObject,
  sets: readonly object[],
  input: PlanInput,
): { readonly steps: readonly PlanStep[]; readonly blockingIssues: readonly BlockingIssue[] } {
  const steps: PlanStep[] = [];
  const blockingIssues: BlockingIssue[] = [];
  for (const template of templates) {
    for (const claim of claimsOfTemplate(template.metadata.name, set, sets, input.observed)) {
      if (claim.deleting || compareStorage(template, claim.content()) <= 0) continue;
      const object = grownClaim(claim, template);
      const rejection = input.appliedCache?.rejectionOf(object);
      if (rejection === undefined) steps.push({ do: 'apply', object, current: claim, reason: 'changed' });
      else blockingIssues.push(notExpandable(claim.name, rejection));
    }
  }
  return { steps, blockingIssues: blockingIssues.slice(0, 1) };
}

/** Returns a claim with only its size: the StatefulSet controller, not pinion, creates the claim. */
function grownClaim({ name, namespace, uid }: Child, { spec }: ClaimTemplate): KubernetesObject {
  const { requests } = spec['resources'] as { readonly requests: { readonly storage: unknown } };
  return {
    apiVersion: nativeKinds.PersistentVolumeClaim.apiVersion,
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, uid },
    spec: { resources: { requests: { storage: requests.storage } } },
  };
}

/** Returns the issue that the API server rejects the expansion of a claim. */
export const notExpandable = (name: string, rejection: string): BlockingIssue => ({
  reason: 'VolumeExpansionUnsupported',
  kind: 'PersistentVolumeClaim',
  name,
  message: `Claim ${name} cannot grow: ${rejection} Allow expansion in its StorageClass, or revert the size.`,
  owner: 'platform',
});
