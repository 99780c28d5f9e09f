import * as z from 'zod';
import { type KubeClient } from '../kube';

const apiVersion = 'authentication.k8s.io/v1';

const reviewSchema = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    audiences: z.array(z.string()).default([]),
    user: z
      .object({
        username: z.string().default(''),
        uid: z.string().default(''),
        groups: z.array(z.string()).default([]),
        extra: z.record(z.string(), z.array(z.string())).default({}),
      })
      .prefault({}),
  }),
});

/** Verdict of an API server on a token. A server that does not know audiences accepts any token, and returns none. */
export type ReviewedToken = z.output<typeof reviewSchema>['status'];

/** How a token is reviewed. */
export interface TokenReviewOptions {
  /** Audiences of which the token must have one. @default - those of the API server itself */
  readonly audiences?: readonly string[];
  /** Timeout in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
}

/**
 * Asks an API server whom a token belongs to, by TokenReview; without the server's message about an invalid token. Throws
 * an `ApiError`, or a `ZodError` for a response that is none.
 */
export async function reviewToken(
  client: KubeClient,
  token: string,
  { audiences, timeout, retries }: TokenReviewOptions,
): Promise<ReviewedToken> {
  const body = { apiVersion, kind: 'TokenReview', spec: { token, ...(audiences && { audiences }) } };
  const response = await client.request('POST', `/apis/${apiVersion}/tokenreviews`, body, { timeout, retries });
  return reviewSchema.parse(response).status;
}
