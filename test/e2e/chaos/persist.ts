import { type Answer } from '../../control-plane/answer';

/** How long somebody goes on asking a server that is away, in milliseconds. */
const patience = 120_000;

/** Milliseconds that pass. */
export const passed = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Asks until the server gives a verdict, as a person does whose server is away: what fails on the way, what is too much
 * for it, and what others overtook is asked again. Throws where it takes too long.
 */
export async function persist(what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const begun = performance.now();
  let last = '';
  while (performance.now() - begun < patience) {
    try {
      const answer = await ask();
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 409 && !isStarting(answer)) return answer;
      last = JSON.stringify(answer.body);
    } catch (error) {
      last = String(error);
    }
    await passed(250);
  }
  throw new Error(`${what}: no verdict within ${patience} ms; the last word was ${last}`);
}

/** A server that has just started does not know yet who may do what, nor all of its kinds, nor its policies. */
const isStarting = ({ status, body }: Answer): boolean => {
  const { message = '' } = (typeof body === 'object' && body !== null ? body : {}) as { readonly message?: string };
  return (
    (status === 404 && (typeof body === 'string' || message.includes('could not find the requested resource'))) ||
    ((status === 403 || status === 422) &&
      /not yet (ready|synced)|RBAC|no params found|failed to configure/.test(message))
  );
};
