/** What the API server answered. */
export interface Answer {
  readonly status: number;
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
  /** Texts of the Warning headers, deprecations among them. */
  readonly warnings: readonly string[];
}

/** One reason of a refusal, as Kubernetes' Status lists them. */
export interface StatusCause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns the answer where it has one of the statuses, and throws what the server said where not. */
export function expectStatus(answer: Answer, statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`the API server answered ${answer.status}: ${messageOf(answer)}`);
}

/** What a refusal says, in the server's words. */
export function messageOf({ body }: Answer): string {
  const message = (body as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : JSON.stringify(body);
}

/** The causes that a refusal lists; none where it lists none. */
export function causesOf({ body }: Answer): readonly StatusCause[] {
  return (body as { details?: { causes?: readonly StatusCause[] } } | null)?.details?.causes ?? [];
}
