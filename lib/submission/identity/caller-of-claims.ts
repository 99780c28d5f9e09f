import { type JWTPayload } from 'jose';
import { type Caller } from '../../contract';
import { publicIssuerOf, type IssuerSettings } from '../../programs';

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
  const mismatch = Object.entries(settings.claims ?? {}).find(([name, values]) => !hasValue(claims, name, values));
  if (mismatch) return { refused: `the claim "${mismatch[0]}" of the token has no value that is accepted here` };
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
  const isAuthenticated = settings.systemAuthenticated ?? !publicIssuerOf(settings.issuer);
  const all = [...groups, ...(isAuthenticated ? [authenticatedGroup] : [])];
  return { caller: { subject, issuer: settings.issuer, kind: 'User', groups: [...new Set(all)] } };
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

/** Returns whether a claim, or one of its elements, is an accepted value. Numbers and booleans match their text. */
function hasValue(claims: JWTPayload, name: string, values: readonly string[]): boolean {
  const found = claimOf(claims, name);
  return (Array.isArray(found) ? found : [found]).some(
    (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) && values.includes(String(value)),
  );
}

const claimOf = (claims: JWTPayload, name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);
