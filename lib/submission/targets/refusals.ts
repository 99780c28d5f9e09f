import { type ApiError, type Clock } from '../../kube';
import { TargetRejection } from './deployment-target';

/** Request to an API server: the object and its project. */
interface RequestedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/**
 * Milliseconds for which rejections caused by the platform are retried: an API server that has just started does not
 * know CRDs, roles and policy parameters yet, and rejects requests without them.
 */
const retryTimeout = 60_000;

/** Distinguishes permanent rejections of an API server from those that may succeed later. */
export class RejectionTracker {
  /** Times of the first and last rejection of an object that the platform caused. */
  private readonly refused = new Map<string, { readonly first: number; readonly last: number }>();

  constructor(
    private readonly target: string,
    private readonly clock: Clock,
  ) {}

  /** Records that an object was accepted; others may still be rejected. */
  recordAccepted(project: string, object: RequestedObject): void {
    this.refused.delete(keyOf(project, object));
  }

  /**
   * Returns the error to throw: the error itself if it may be transient, otherwise why the object is rejected.
   */
  of(error: ApiError, project: string, object: RequestedObject): ApiError | TargetRejection {
    // Others kept writing the object while the API server tried to: it is not at fault.
    if (error.status === 409 && !isPolicy(error)) return error;
    const refusal = refusalOf(error, object, this.target);
    if (refusal.owner !== 'platform') return refusal;
    const now = this.clock.now();
    // A rejection that was not repeated may be resolved by now, so its timeout restarts.
    for (const [key, { last }] of this.refused) if (now - last >= retryTimeout) this.refused.delete(key);
    const key = keyOf(project, object);
    const { first } = this.refused.get(key) ?? { first: now };
    this.refused.set(key, { first, last: now });
    return now - first < retryTimeout ? error : refusal;
  }
}

const keyOf = (project: string, { kind, metadata }: RequestedObject): string => `${project}/${kind}/${metadata.name}`;

const isPolicy = ({ message }: ApiError): boolean => /ValidatingAdmissionPolicy|admission webhook/.test(message);

/** Returns the reason and message of a rejected workload (docs/reasons.md). */
function refusalOf(error: ApiError, { kind, metadata }: RequestedObject, target: string): TargetRejection {
  const { status, message } = error;
  const text = `${target} rejects ${kind} ${metadata.name}: ${message}`;
  if (status === 404) return new TargetRejection('ReferenceNotFound', 'platform', text, { cause: error });
  if (/failed to configure (policy|binding)|failed calling webhook/.test(message))
    return new TargetRejection('WebhookUnavailable', 'platform', text, { cause: error });
  if (status === 403 && !isPolicy(error) && /cannot|impersonate/.test(message))
    return new TargetRejection('DeployerMayNot', 'platform', text, { cause: error });
  return new TargetRejection(isPolicy(error) ? 'PolicyDenied' : 'InvalidSpec', 'application', text, { cause: error });
}
