import { type Spec } from '../api';

/** A CI identity whose artifacts a stage accepts. */
export type TrustedPublisher = NonNullable<Spec<'Project'>['stages']>[number]['publishers'][number];

/** Identity of a CI run: what a statement says, or what the issuer of a token says. */
export interface PublisherIdentity {
  readonly issuer: string;
  readonly repository: string;
  readonly ref: string;
}

/** Returns how the identity of a CI run differs from a publisher; undefined if it matches. */
export function identityMismatch(
  { issuer, repository, ref }: PublisherIdentity,
  publisher: TrustedPublisher,
): string | undefined {
  if (issuer === publisher.issuer && repository === publisher.repository && matches(ref, publisher.ref))
    return undefined;
  return `was published by ${repository} at ${ref} (${issuer})`;
}

/** Returns how the claims of a verified token differ from those that a publisher requires; undefined if all match. */
export function claimMismatch(
  claims: Readonly<Record<string, string>>,
  { claims: required = {} }: TrustedPublisher,
): string | undefined {
  const differing = Object.entries(required).find(([name, value]) => !matches(claimOf(claims, name), value));
  if (!differing) return undefined;
  const [name, value] = differing;
  const found = claimOf(claims, name);
  const shown = found === undefined ? `has a token without the claim ${name}` : `has a token with ${name} "${found}"`;
  return `${shown}; the publisher requires "${value}"`;
}

const claimOf = (claims: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

const matches = (value: string | undefined, pattern: string): boolean =>
  value !== undefined && (pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern);
