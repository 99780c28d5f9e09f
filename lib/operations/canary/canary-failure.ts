import { type CanaryCause } from './canary-report';
import { type FailedCall } from './canary-facts';

/** Failure of a step: a failed request, a timeout, or a known cause. */
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

/** Thrown by a step that does not apply here. */
export class StepNotApplicableError extends Error {
  override readonly name = 'StepNotApplicableError' as const;
}
