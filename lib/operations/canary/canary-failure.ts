import { type CanaryCause } from './canary-report';
import { type FailedCall } from './canary-facts';

/** Why a step failed: a call, a wait that was in vain, or a fault that is known by name already. */
export class CanaryFailure extends Error {
  override readonly name = 'CanaryFailure' as const;

  constructor(
    message: string,
    readonly facts: { readonly call?: FailedCall; readonly waitedFor?: string; readonly cause?: CanaryCause },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown by a step that cannot be done here, for a reason that is no fault. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked' as const;
}
