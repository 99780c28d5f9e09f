import { ApiError, type KubeClient } from '../../../lib/kube';

/** Spec of a TokenReview. */
export interface ReviewSpec {
  readonly token: string;
  readonly audiences: readonly string[];
}

/** A client that supports only TokenReview and the keys of service accounts, which it refuses by default; the end-to-end test covers responses of the real API server. */
export function reviewingClient(
  review: (spec: ReviewSpec) => Promise<object>,
  keys: () => Promise<readonly object[]> = () => Promise.reject(new ApiError(403, 'Forbidden', 'not allowed')),
): KubeClient {
  const request = async (method: string, path: string, body: unknown): Promise<unknown> => {
    if (method === 'GET' && path === '/openid/v1/jwks') return JSON.stringify({ keys: await keys() });
    expect(`${method} ${path}`).toBe('POST /apis/authentication.k8s.io/v1/tokenreviews');
    return { status: await review((body as { readonly spec: ReviewSpec }).spec) };
  };
  return { request } as unknown as KubeClient;
}
