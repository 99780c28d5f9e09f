import { type KubeClient } from '../../../lib/kube';

/** Spec of a TokenReview. */
export interface AskedReview {
  readonly token: string;
  readonly audiences: readonly string[];
}

/** A client that supports only TokenReview; the end-to-end test covers responses of the real API server. */
export function reviewingClient(review: (asked: AskedReview) => Promise<object>): KubeClient {
  const request = async (method: string, path: string, body: unknown): Promise<unknown> => {
    expect(`${method} ${path}`).toBe('POST /apis/authentication.k8s.io/v1/tokenreviews');
    return { status: await review((body as { readonly spec: AskedReview }).spec) };
  };
  return { request } as unknown as KubeClient;
}
