import { type Problem } from '../api';
import { type DeploymentPreview } from '../contract';

/** Details of an error response. */
export interface ProblemResponseDetails {
  /** Summary. */
  readonly title: string;
  /** Explanation. @default - the title is sufficient */
  readonly detail?: string;
  /** Problems of the request. @default - none */
  readonly problems?: readonly Problem[];
  /** Preview, if quota or capacity is insufficient. @default - none */
  readonly preview?: DeploymentPreview;
  /** Seconds to wait before a retry. @default - no Retry-After header */
  readonly retryAfter?: number;
}

/** Error that is sent to the caller as a problem document. */
export class ProblemResponse extends Error {
  override readonly name = 'ProblemResponse' as const;
  constructor(
    /** HTTP status: 400 to 499, or 503 if a dependency is unavailable. */
    readonly status: number,
    readonly details: ProblemResponseDetails,
  ) {
    super(details.detail ?? details.title);
  }
}
