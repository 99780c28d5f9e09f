import { reviewToken, unverifiedClaims, unverifiedProblem } from '../../identity';
import { type KubeClient } from '../../kube';
import { type ApiCaller } from './api-caller';

/** Whose a token is: a service account's, for the gateway alone, or a user's, for the API server itself, as of OIDC. */
export type TokenKind = 'service-account' | 'user';

/** Seconds by which the clocks of the gateway and the API server may differ. */
const maxClockSkew = 60;

/** Prefix of the names of Kubernetes' own users and groups. */
const reservedPrefix = 'system:';
/** Group that the API server adds to all authenticated users. */
const authenticatedGroup = 'system:authenticated';

/**
 * Returns whose a token is by its own claims, which only a review proves; undefined for one that no review would accept.
 * @param now - milliseconds since 1970
 */
export function tokenKindOf(token: string, audience: string, now: number): TokenKind | undefined {
  if (!unverifiedProblem(token, { audience, now, maxClockSkew })) return 'service-account';
  if (unverifiedProblem(token, { now, maxClockSkew })) return undefined;
  // Those of service accounts need the audience of the gateway: others are meant for the API server alone.
  return unverifiedClaims(token).isServiceAccount ? undefined : 'user';
}

/**
 * Asks the API server for the client that a token belongs to; resolves with undefined for one that is not accepted. A
 * user's token is reviewed as the API server would authenticate it: issuer, audience, claims and prefixes are its own.
 */
export async function requestReview(
  client: KubeClient,
  token: string,
  kind: TokenKind,
  audience: string,
): Promise<ApiCaller | undefined> {
  const { authenticated, audiences, user } = await reviewToken(client, token, {
    ...(kind === 'service-account' && { audiences: [audience] }),
    timeout: 5_000,
    retries: 1,
  });
  const { username, uid, groups, extra } = user;
  if (!authenticated || username === '') return undefined;
  // A server that does not know audiences accepts any token, and returns none.
  const isAccepted = kind === 'service-account' ? audiences.includes(audience) : !isReserved(username, groups);
  return isAccepted ? { user: username, groups, extra, ...(uid !== '' && { uid }) } : undefined;
}

/** Returns whether a user has a name of Kubernetes itself, which a claim gives to anyone whom its issuer lets choose it. */
const isReserved = (username: string, groups: readonly string[]): boolean =>
  [username, ...groups].some((name) => name.startsWith(reservedPrefix) && name !== authenticatedGroup);
