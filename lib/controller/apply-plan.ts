import { hookOf } from '../expand';
import { type ApiError, isApiError } from '../client';
import { applyReserved } from './apply-reserved';
import { type Child } from './observed/child';
import { type ClusterWriter } from './cluster-writer';
import { type ReconcilePlan, type PlanStep } from './plan/plan-step';
import { type AppliedCache } from './plan/applied-cache';
import { isReservedObject } from './plan/reserved-object';

/** Request that the API server rejected because of the object or the state of the cluster. */
export interface RejectedRequest {
  readonly kind: string;
  readonly name: string;
  readonly error: ApiError;
}

/** Result of applying a plan. */
export interface AppliedPlan {
  readonly done: readonly PlanStep[];
  readonly rejected: readonly RejectedRequest[];
  /** Whether an object changed in the meantime: the next reconcile plans again. */
  readonly conflicted: boolean;
}

/**
 * Applies the steps of a plan in order.
 *
 * A rejected step does not stop later steps, except the Job of a hook. Throws if the API server is unreachable or throttles requests.
 */
export async function applyPlan(
  plan: ReconcilePlan,
  writer: ClusterWriter,
  appliedCache: AppliedCache,
): Promise<AppliedPlan> {
  const done: PlanStep[] = [];
  const rejected: RejectedRequest[] = [];
  let conflicted = false;
  for (const step of plan.steps) {
    // Its NetworkPolicy and configuration come before it.
    if (isHookJob(step) && (rejected.length > 0 || conflicted)) continue;
    try {
      const applied = await applyStep(step, writer);
      if (applied) appliedCache.settle(applied);
      done.push(step);
    } catch (error) {
      if (!isApiError(error) || isTransient(error)) throw error;
      if (error.status === 409 && (step.do === 'delete' || step.current !== undefined)) conflicted = true;
      else {
        rejected.push({ ...objectOf(step), error });
        // Repeated expansion requests for a claim that cannot grow are pointless.
        if (
          step.do === 'apply' &&
          step.object.kind === 'PersistentVolumeClaim' &&
          (error.status === 403 || error.status === 422)
        )
          appliedCache.recordRejection(step.object, `${error.message.replace(/\.$/, '')}.`);
      }
    }
  }
  return { done, rejected, conflicted };
}

async function applyStep(step: PlanStep, writer: ClusterWriter): Promise<Child | undefined> {
  if (step.do === 'delete') {
    await writer.remove(step.target, step.propagation);
    return undefined;
  }
  const { object, current, release } = step;
  if (!current)
    return isReservedObject(object) ? applyReserved(object, writer) : writer.apply(object, { force: false });
  const version = release ? await writer.release(current, release) : current.resourceVersion;
  // The version is a precondition, so a delayed request does no harm.
  const metadata = { ...object.metadata, uid: current.uid, resourceVersion: version };
  return writer.apply({ ...object, metadata }, { force: true });
}

/** Returns whether an error is not about the object: no response, too many requests, or a server error. */
const isTransient = ({ status, reason }: ApiError): boolean =>
  status === 0 ||
  status === 401 ||
  status === 429 ||
  status === 503 ||
  status === 504 ||
  (status === 500 && reason !== 'InternalError' && reason !== '');

const isHookJob = (step: PlanStep): boolean => step.do === 'apply' && hookOf(step.object) !== undefined;

const objectOf = (step: PlanStep) =>
  step.do === 'apply'
    ? { kind: step.object.kind, name: step.object.metadata.name }
    : { kind: step.target.kind, name: step.target.name };
