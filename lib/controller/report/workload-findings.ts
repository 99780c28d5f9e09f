import { redactProblem, explainProblem, isError, type Problem } from '../../api';
import { isApiError, type ApiError } from '../../kube';
import { createCause, type Diagnosis, type Finding } from './cause';
import { creationFindings } from './creation-findings';
import { newestPods } from './newest-pods';
import { type BlockingIssue } from '../plan/plan-step';
import { podFindings } from './pod-findings';
import { refusalDiagnosis } from './refusal-diagnosis';
import { type ReportInput } from './report';
import { type DesiredObjectStatus } from './desired-object-status';

/** Kinds whose pods run to an end, so that readiness says nothing of how they are. */
const ending = new Set(['PinterestJobSet', 'PinterestCronJob', 'PinterestTrainingJob']);

/** Everything that keeps a workload from being as it should, in no order. */
export function workloadFindings(input: ReportInput, stood: readonly DesiredObjectStatus[]): readonly Finding[] {
  const findings = [
    ...invalid(input.problems),
    ...(input.plan?.obstacles ?? []).map(obstacle),
    ...input.refused.map((refusal) => refused(refusal, input.namespace)),
    ...creationFindings(input, stood),
    ...pods(input),
    ...stood.flatMap(unfinished),
  ];
  return input.ofPlatform ? findings.map(ofPlatform) : findings;
}

/** Nobody but the people of the platform can change what the Platform makes for itself. */
const ofPlatform = ({ cause, ...rest }: Finding): Finding => ({
  ...rest,
  cause: cause.owner === 'application' ? { ...cause, owner: 'platform' } : cause,
});

/** What is wrong with a spec, with the cluster's documents, or with both: all of it, as `pinion check` says it. */
function invalid(problems: readonly Problem[]): readonly Finding[] {
  const errors = problems.filter(isError);
  if (errors.length === 0) return [];
  const ofPlatform = errors.every(({ object = '' }) => /^(Platform|RuntimeProfile|Project) /.test(object));
  const message = errors.map((problem) => explainProblem(redactProblem(problem))).join('\n');
  const diagnosis: Diagnosis = ofPlatform
    ? { owner: 'platform', reason: 'InvalidPlatform', message }
    : { owner: 'application', reason: 'InvalidSpec', message };
  return [{ severity: 'invalid', cause: createCause(diagnosis), order: '' }];
}

function obstacle({ reason, kind, name, message, owner }: BlockingIssue): Finding {
  const told = /^[a-z]/.test(message) ? `${kind} ${name} ${message}` : message;
  const cause = createCause({ owner, reason, message: ended(told) }, `${kind}/${name}`);
  return { severity: 'obstacle', cause, order: `${kind}/${name}` };
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Answers that say nothing of the object, but of the server. */
const isPassing = (error: ApiError): boolean => isApiError(error, 0, 401, 409, 429, 500, 502, 503, 504);

function refused({ kind, name, error }: ReportInput['refused'][number], namespace: string): Finding {
  const object = `${kind}/${name}`;
  if (isPassing(error)) {
    const diagnosis: Diagnosis = error.message.includes('failed calling webhook')
      ? refusalDiagnosis(error.message, { what: object, namespace })
      : {
          owner: 'platform',
          reason: 'APIServerError',
          message: `The API server did not take ${object} (${error.reason || error.status}). The controller tries again; if this lasts, look at the API server.`,
        };
    return { severity: 'unanswered', cause: createCause(diagnosis, object), order: object };
  }
  const diagnosis = refusalDiagnosis(error.message, { what: `Requests for ${object}`, namespace });
  const rights = error.reason === 'Forbidden' && / cannot \w+ resource /.test(error.message);
  const whose: Diagnosis = rights
    ? {
        owner: 'platform',
        reason: 'ControllerForbidden',
        message: `The controller may not do what ${object} needs: ${ended(error.message)} Install its roles anew.`,
      }
    : diagnosis;
  return { severity: 'refused', cause: createCause(whose, object), order: object };
}

function pods({ kind, desired, observed, pods: all, workload, now }: ReportInput): readonly Finding[] {
  const speaking = newestPods(desired, observed, all);
  const placement = workload !== undefined && choosesPlace(workload.spec) ? 'chosen' : 'default';
  const ends = ending.has(kind);
  return speaking
    .filter(({ phase }) => phase !== 'Failed')
    .flatMap((pod) => podFindings(pod, placement, now))
    .filter(
      ({ severity, cause }) =>
        !ends || severity !== 'unready' || cause.reason === 'StartsSlowly' || cause.reason === 'NotScheduled',
    );
}

/** Whether a workload says itself where it may run; otherwise the platform chooses. */
function choosesPlace(spec: NonNullable<ReportInput['workload']>['spec']): boolean {
  const { affinity, nodeSelector } = spec.template?.spec ?? {};
  return [spec.placement.pool, spec.placement.zones, affinity, nodeSelector].some((choice) => choice !== undefined);
}

/** What an object says itself, where nothing tells more. */
function unfinished({ object, standing: { state, message = '' } }: DesiredObjectStatus): readonly Finding[] {
  const name = `${object.kind}/${object.metadata.name}`;
  if (state !== 'Failed' || object.kind === 'Job') return [];
  const lost = object.kind === 'PersistentVolumeClaim';
  const remedy = lost
    ? 'Restore the volume from a backup, or delete the claim to get an empty one.'
    : 'Look at its pods with `kubectl describe`.';
  const told = `${name}: ${message}. ${remedy}`;
  const diagnosis: Diagnosis = lost
    ? { owner: 'platform', reason: 'ClaimLost', message: told }
    : { owner: 'application', reason: 'ProgressDeadlineExceeded', message: told };
  return [{ severity: lost ? 'volume' : 'slow', cause: createCause(diagnosis, name), order: name }];
}
