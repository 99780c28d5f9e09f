import { UnavailableError } from '../io/io';

/** Environment variables for requesting tokens from the CI. Building an app needs none of them. */
export const tokenVariables = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'] as const;

/** Timeout of the token request, in milliseconds. */
const requestTimeout = 30_000;

/** Requests a token with an audience from GitHub Actions; undefined elsewhere, or without the permission. */
export function ciTokens(
  environment: Readonly<Record<string, string | undefined>>,
): ((audience: string) => Promise<string>) | undefined {
  const [url, bearer] = tokenVariables.map((name) => environment[name]);
  return url && bearer ? (audience) => tokenFor(audience, url, bearer) : undefined;
}

async function tokenFor(audience: string, url: string, bearer: string): Promise<string> {
  try {
    const request = new URL(url);
    request.searchParams.set('audience', audience);
    const signal = AbortSignal.timeout(requestTimeout);
    const response = await fetch(request, { headers: { authorization: `Bearer ${bearer}` }, signal });
    const { value } = (await response.json()) as { value?: unknown };
    if (!response.ok || typeof value !== 'string') throw new Error(`HTTP status ${response.status}`);
    return value;
  } catch (cause) {
    throw new UnavailableError(`cannot get a token from the CI: ${(cause as Error).message}`, { cause });
  }
}
