import { type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../kube';
import { type Child } from '../observed/child';
import { type BlockingIssue, type PlanInput, type PlanStep } from './plan-step';

/** An object that is not as desired, about to be brought there. */
export interface PendingChange {
  /** As it is to be applied. */
  readonly desired: KubernetesObject;
  readonly child: Child;
  readonly live: LiveObject;
  readonly input: PlanInput;
  /** It was deployed natively and is taken over. */
  readonly adopting: boolean;
}

/** How a change is made. */
export interface ChangeStrategy {
  /** Object to apply. @default - none */
  readonly object?: KubernetesObject;
  /** Hash of what can never change in the Job that is applied, where it is not that of the desired one. */
  readonly fixed?: string | undefined;
  /** What comes before. */
  readonly steps?: readonly PlanStep[];
  /** How it is deleted before it is recreated. */
  readonly replace?: 'Background' | 'Foreground' | 'Orphan';
  readonly obstacles?: readonly BlockingIssue[];
  /** Another pass follows when what was begun is seen. */
  readonly waits?: boolean;
}

/** Returns the issue of a change that would lose data or progress and waits for consent in the spec. */
export const destructiveChange = (
  { kind, name }: { readonly kind: string; readonly name: string },
  what: string,
  loss: 'Claims' | 'Progress',
): BlockingIssue => ({
  reason: 'DestructiveChangeBlocked',
  kind,
  name,
  message: `${what} Set spec.allowLoss: [${loss}] to allow it, or revert the change.`,
  owner: 'application',
});
