/** Issuer from which anyone can get a token, with the claims that name one of its customers. */
export interface PublicIssuer {
  readonly name: string;
  /** Claims whose values never pass to another customer, unlike names. */
  readonly claims: readonly string[];
}

const publicIssuers: readonly (PublicIssuer & { readonly pattern: RegExp })[] = [
  {
    name: 'GitHub Actions',
    // GitHub, an enterprise with its own issuer, and GitHub Enterprise Server.
    pattern: /^https:\/\/(token\.actions\.githubusercontent\.com(\/.*)?|[^/]+\/_services\/token)$/,
    claims: ['repository_owner_id', 'repository_id', 'enterprise_id'],
  },
  { name: 'GitLab', pattern: /^https:\/\/gitlab\.com\/?$/, claims: ['namespace_id', 'project_id'] },
  {
    name: 'Buildkite',
    pattern: /^https:\/\/agent\.buildkite\.com\/?$/,
    claims: ['organization_id', 'pipeline_id'],
  },
  { name: 'Google', pattern: /^https:\/\/accounts\.google\.com\/?$/, claims: ['hd', 'sub'] },
];

/** Returns the public issuer of a URL; undefined for any other. */
export const publicIssuerOf = (issuer: string): PublicIssuer | undefined =>
  publicIssuers.find(({ pattern }) => pattern.test(issuer));
