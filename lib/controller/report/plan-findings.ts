import { isApiError, type ApiError } from '../../client';
import { type BlockingIssue } from '../plan/plan-step';
import { createCause, type Diagnosis, type Finding } from './cause';
import { rejectionDiagnosis } from './rejection-diagnosis';
import { type ReportInput } from './report';

/** Returns the findings of a plan and of its requests: blocking issues, and requests that the API server rejected. */
export const planFindings = ({
  plan,
  rejected,
  namespace,
}: Pick<ReportInput, 'plan' | 'rejected' | 'namespace'>): readonly Finding[] => [
  ...(plan?.blockingIssues ?? []).map(blockingIssue),
  ...rejected.map((request) => rejectedRequest(request, namespace)),
];

function blockingIssue({ reason, kind, name, message, owner }: BlockingIssue): Finding {
  const sentence = /^[a-z]/.test(message) ? `${kind} ${name} ${message}` : message;
  const cause = createCause({ owner, reason, message: withPeriod(sentence) }, `${kind}/${name}`);
  return { severity: 'blocked', cause, order: `${kind}/${name}` };
}

const withPeriod = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns whether an error is about the server, not the object. */
const isTransient = (error: ApiError): boolean => isApiError(error, 0, 401, 409, 429, 500, 502, 503, 504);

function rejectedRequest({ kind, name, error }: ReportInput['rejected'][number], namespace: string): Finding {
  const object = `${kind}/${name}`;
  if (isTransient(error)) {
    const diagnosis: Diagnosis = error.message.includes('failed calling webhook')
      ? rejectionDiagnosis(error.message, { what: object, namespace })
      : {
          owner: 'platform',
          reason: 'APIServerError',
          message: `The API server did not accept ${object} (${error.reason || error.status}). The controller retries; if this persists, check the API server.`,
        };
    return { severity: 'unanswered', cause: createCause(diagnosis, object), order: object };
  }
  const diagnosis = rejectionDiagnosis(error.message, { what: `Requests for ${object}`, namespace });
  const isForbidden = error.reason === 'Forbidden' && / cannot \w+ resource /.test(error.message);
  const finalDiagnosis: Diagnosis = isForbidden
    ? {
        owner: 'platform',
        reason: 'ControllerForbidden',
        message: `The controller lacks a permission for ${object}: ${withPeriod(error.message)} Reinstall its roles.`,
      }
    : diagnosis;
  return { severity: 'rejected', cause: createCause(finalDiagnosis, object), order: object };
}
