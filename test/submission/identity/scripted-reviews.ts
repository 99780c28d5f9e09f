import { type KubeClient } from '../../../lib/kube';

/** What a TokenReview asks. */
export interface AskedReview {
  readonly token: string;
  readonly audiences: readonly string[];
}

/** A client of which nothing but TokenReview is asked; what the API server really says of tokens is seen in the end-to-end test. */
export function reviewingClient(review: (asked: AskedReview) => Promise<object>): KubeClient {
  const request = async (method: string, path: string, body: unknown): Promise<unknown> => {
    expect(`${method} ${path}`).toBe('POST /apis/authentication.k8s.io/v1/tokenreviews');
    return { status: await review((body as { readonly spec: AskedReview }).spec) };
  };
  return { request } as unknown as KubeClient;
}
