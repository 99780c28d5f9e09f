import { type ApiError, type Clock } from '../../kube';
import { TargetRefusal } from './deployment-target';

/** What is asked of an API server: which object, in which project. */
interface Asked {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/**
 * Milliseconds for which what is the platform's own is asked for again before it is a refusal: an API server that has just
 * started does not know definitions, roles and parameters of policies yet, and refuses for want of them.
 */
const patience = 60_000;

/** Distinguishes permanent rejections of an API server from those that may succeed later. */
export class Refusals {
  /** When objects were refused for what is the platform's, for the first and the last time. */
  private readonly refused = new Map<string, { readonly first: number; readonly last: number }>();

  constructor(
    private readonly target: string,
    private readonly clock: Clock,
  ) {}

  /** Notes that an object was taken; others may still be refused. */
  taken(project: string, asked: Asked): void {
    this.refused.delete(keyOf(project, asked));
  }

  /** What to throw for an answer: the answer itself where it may pass, else why the object is refused. */
  of(error: ApiError, project: string, asked: Asked): ApiError | TargetRefusal {
    // Others wrote the object again and again while the API server tried to: nothing is the matter with it.
    if (error.status === 409 && !isPolicy(error)) return error;
    const refusal = refusalOf(error, asked, this.target);
    if (refusal.owner !== 'platform') return refusal;
    const now = this.clock.now();
    // A type that was not requested since may be known by now, so its timeout restarts.
    for (const [key, { last }] of this.refused) if (now - last >= patience) this.refused.delete(key);
    const key = keyOf(project, asked);
    const { first } = this.refused.get(key) ?? { first: now };
    this.refused.set(key, { first, last: now });
    return now - first < patience ? error : refusal;
  }
}

const keyOf = (project: string, { kind, metadata }: Asked): string => `${project}/${kind}/${metadata.name}`;

const isPolicy = ({ message }: ApiError): boolean => /ValidatingAdmissionPolicy|admission webhook/.test(message);

/** Why the API server refuses a workload, in the words of docs/reasons.md. */
function refusalOf(error: ApiError, { kind, metadata }: Asked, target: string): TargetRefusal {
  const { status, message } = error;
  const what = `${target} refuses ${kind} ${metadata.name}: ${message}`;
  if (status === 404) return new TargetRefusal('ReferenceNotFound', 'platform', what, { cause: error });
  if (/failed to configure (policy|binding)|failed calling webhook/.test(message))
    return new TargetRefusal('WebhookUnavailable', 'platform', what, { cause: error });
  if (status === 403 && !isPolicy(error) && /cannot|impersonate/.test(message))
    return new TargetRefusal('DeployerMayNot', 'platform', what, { cause: error });
  return new TargetRefusal(isPolicy(error) ? 'PolicyDenied' : 'InvalidSpec', 'application', what, { cause: error });
}
