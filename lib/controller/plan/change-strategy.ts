import { type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../client';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput, type PlanStep } from './plan-step';

/** Change to an object that is not as desired. */
export interface PendingChange {
  /** Object to apply. */
  readonly desired: KubernetesObject;
  readonly child: Child;
  readonly live: LiveObject;
  readonly input: PlanInput;
  /** Whether it was deployed natively and is being adopted. */
  readonly adopting: boolean;
}

/** Strategy of a change. */
export interface ChangeStrategy {
  /** Object to apply. @default - none */
  readonly object?: KubernetesObject;
  /** Hash of the immutable fields of the applied Job, if it differs from that of the desired one. */
  readonly immutableHash?: string | undefined;
  /** Steps before the object is applied. */
  readonly steps?: readonly PlanStep[];
  /**
   * Propagation policy for deleting the object before it is recreated: in the same reconcile if there is an object to
   * apply, otherwise once its deletion is observed. @default - it is not recreated
   */
  readonly replace?: 'Background' | 'Foreground' | 'Orphan';
  readonly blockingIssues?: readonly BlockingIssue[];
  /** Whether another reconcile is needed once these steps are observed. */
  readonly waits?: boolean;
}

/** Returns the issue of a change that would lose data or progress and requires consent in the spec. */
export const destructiveChange = (
  { kind, name }: { readonly kind: string; readonly name: string },
  problem: string,
  loss: 'Claims' | 'Progress',
): BlockingIssue => ({
  reason: 'DestructiveChangeBlocked',
  kind,
  name,
  message: `${problem} Set spec.allowLoss: [${loss}] to allow it, or revert the change.`,
  owner: 'application',
});
