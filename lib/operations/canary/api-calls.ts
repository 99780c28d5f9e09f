import { isApiError } from '../../kube';
import { CanaryFailure } from './canary-failure';

/** Awaits a request to the API server. Throws a `CanaryFailure` for an API error. */
export async function callApiServer<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw canaryFailureOf(error);
  }
}

/** Returns an API error as a `CanaryFailure` with its status, and other errors unchanged. */
export function canaryFailureOf(error: unknown): unknown {
  if (!isApiError(error)) return error;
  const { status, message } = error;
  return new CanaryFailure(message, { call: { service: 'api-server', status, message } }, { cause: error });
}
