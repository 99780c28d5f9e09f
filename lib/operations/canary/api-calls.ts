import { isApiError } from '../../kube';
import { CanaryFailure } from './canary-failure';

/** Does something with the API server; an answer that is no success becomes a failure of the step. */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw canaryFailureOf(error);
  }
}

/** The error of a step, with the status of the API server's answer where it was one. */
export function canaryFailureOf(error: unknown): unknown {
  if (!isApiError(error)) return error;
  const { status, message } = error;
  return new CanaryFailure(message, { call: { of: 'api-server', status, message } }, { cause: error });
}
