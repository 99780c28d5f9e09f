import { type RejectionReason } from '../../artifact';
import { type LiveObject } from '../../client';

/** Reasons of the condition Verified besides those for which a proof is rejected. */
export const verificationReasons = ['Verified', 'BreakGlass', 'BreakGlassExpired', 'PoliciesChanged'] as const;

/** Whether a workload of a protected project carries a trusted proof, and what its objects follow. */
export interface Verification {
  readonly state: 'verified' | 'breakGlass' | 'refused';
  readonly reason: (typeof verificationReasons)[number] | RejectionReason;
  /** What is wrong, the remedy, and what the objects follow. */
  readonly message: string;
  /** Workload as it is expanded. @default - none was accepted yet; its objects stay as they are */
  readonly source?: LiveObject;
  /** Digest of the part that it is expanded from. */
  readonly part?: string;
  /** Time at which it changes without an event, in milliseconds since 1970. @default - never */
  readonly until?: number;
}
