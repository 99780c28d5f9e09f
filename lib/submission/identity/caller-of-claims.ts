import { type JWTPayload } from 'jose';
import { type Caller } from '../../contract';
import { type IssuerSettings } from '../../programs';

/** Prefix of names that are reserved for Kubernetes: no issuer may use them. */
const reservedPrefix = 'system:';
/** Group of all authenticated users in the API server. */
const authenticatedGroup = 'system:authenticated';
/** Maximum length of a name; a Project could not contain longer ones. */
const maxNameLength = 512;

/** Maps claims to a caller like an API server with the same settings, or returns why it cannot. */
export function callerOfClaims(
  claims: JWTPayload,
  settings: IssuerSettings,
): { readonly caller: Caller } | { readonly refused: string } {
  const name = claimOf(claims, settings.usernameClaim);
  if (typeof name !== 'string' || name === '')
    return {
      refused: `the token has no string in the claim "${settings.usernameClaim}", which contains the user name`,
    };
  // Like the API server: an unverified email is not a user name.
  if (settings.usernameClaim === 'email' && (claimOf(claims, 'email_verified') ?? true) !== true)
    return { refused: 'the issuer has not verified the e-mail address that names the user' };
  const subject = prefixOf(settings) + name;
  if (subject.startsWith(reservedPrefix) || subject.length > maxNameLength || /\p{Cc}/u.test(subject))
    return { refused: 'the user name in the token is not allowed' };
  const groups = groupsOf(claims, settings);
  if (!groups)
    return { refused: `the claim "${settings.groupsClaim}" of the token is neither a string nor a list of strings` };
  return {
    caller: { subject, issuer: settings.issuer, kind: 'User', groups: [...new Set([...groups, authenticatedGroup])] },
  };
}

function groupsOf(claims: JWTPayload, { groupsClaim, groupsPrefix }: IssuerSettings): string[] | undefined {
  const claim = groupsClaim === undefined ? [] : (claimOf(claims, groupsClaim) ?? []);
  const groups = typeof claim === 'string' ? [claim] : claim;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) return undefined;
  return groups.map((group) => groupsPrefix + group).filter((group) => !group.startsWith(reservedPrefix));
}

function prefixOf({ issuer, usernameClaim, usernamePrefix }: IssuerSettings): string {
  if (usernamePrefix === undefined) return usernameClaim === 'email' ? '' : `${issuer}#`;
  return usernamePrefix === '-' ? '' : usernamePrefix;
}

const claimOf = (claims: JWTPayload, name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);
