import { UnavailableError } from '../io/io';

/** Variables with which a run requests tokens of its CI. Building an app needs none of them. */
export const tokenVariables = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'] as const;

/** Timeout of the token request, in milliseconds. */
const patience = 30_000;

/** Requests a token with an audience from GitHub Actions; undefined elsewhere, or without the permission. */
export function ciTokens(
  environment: Readonly<Record<string, string | undefined>>,
): ((audience: string) => Promise<string>) | undefined {
  const [url, bearer] = tokenVariables.map((name) => environment[name]);
  return url && bearer ? (audience) => tokenFor(audience, url, bearer) : undefined;
}

async function tokenFor(audience: string, url: string, bearer: string): Promise<string> {
  try {
    const asked = new URL(url);
    asked.searchParams.set('audience', audience);
    const signal = AbortSignal.timeout(patience);
    const answer = await fetch(asked, { headers: { authorization: `Bearer ${bearer}` }, signal });
    const { value } = (await answer.json()) as { value?: unknown };
    if (!answer.ok || typeof value !== 'string') throw new Error(`HTTP status ${answer.status}`);
    return value;
  } catch (cause) {
    throw new UnavailableError(`cannot get a token from the CI: ${(cause as Error).message}`, { cause });
  }
}
