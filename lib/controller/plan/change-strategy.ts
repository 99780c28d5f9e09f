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
  /** What is applied; nothing where left out. */
  readonly object?: KubernetesObject;
  /** Hash of what can never change in the Job that is applied, where it is not that of the desired one. */
  readonly fixed?: string | undefined;
  /** What comes before. */
  readonly steps?: readonly PlanStep[];
  /** It is deleted so, and made anew when it is gone. */
  readonly replace?: 'Background' | 'Foreground' | 'Orphan';
  readonly obstacles?: readonly BlockingIssue[];
  /** Another pass follows when what was begun is seen. */
  readonly waits?: boolean;
}

/** Obstacle: a change that would lose something waits until the spec allows that. */
export const destructiveChange = (
  { kind, name }: { readonly kind: string; readonly name: string },
  what: string,
  loss: 'Claims' | 'Progress',
): BlockingIssue => ({
  reason: 'DestructiveChangeBlocked',
  kind,
  name,
  message: `${what} Set spec.allowLoss: [${loss}] to have it done, or take the change back.`,
  owner: 'application',
});
