import { type ApiError, type Clock } from '../../kube';
import { TargetRefusal } from './target';

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

/** Tells what an API server refuses for good from what it does not know yet. */
export class Refusals {
  /** Since when a project is refused for what is the platform's, by its name. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly target: string,
    private readonly clock: Clock,
  ) {}

  /** Notes that something of a project was taken. */
  taken(project: string): void {
    this.since.delete(project);
  }

  /** What to throw for an answer: the answer itself where it may pass, else why the object is refused. */
  of(error: ApiError, project: string, asked: Asked): ApiError | TargetRefusal {
    const refusal = refusalOf(error, asked, this.target);
    if (refusal.owner !== 'platform') return refusal;
    const now = this.clock.now();
    const since = this.since.get(project) ?? now;
    this.since.set(project, since);
    return now - since < patience ? error : refusal;
  }
}

/** Why the API server refuses a workload, in the words of docs/reasons.md. */
function refusalOf(error: ApiError, { kind, metadata }: Asked, target: string): TargetRefusal {
  const { status, message } = error;
  const what = `${target} refuses ${kind} ${metadata.name}: ${message}`;
  if (status === 404) return new TargetRefusal('ReferenceMissing', 'platform', what, { cause: error });
  if (/failed to configure policy|failed calling webhook/.test(message))
    return new TargetRefusal('WebhookUnavailable', 'platform', what, { cause: error });
  const isPolicy = /ValidatingAdmissionPolicy|admission webhook/.test(message);
  if (status === 403 && !isPolicy && /cannot|impersonate/.test(message))
    return new TargetRefusal('DeployerMayNot', 'platform', what, { cause: error });
  return new TargetRefusal(isPolicy ? 'PolicyDenied' : 'InvalidSpec', 'application', what, { cause: error });
}
