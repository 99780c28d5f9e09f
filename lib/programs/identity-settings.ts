import * as z from 'zod';
import { parseDuration, schemaProblems, textForm, type Problem } from '../api';
import { publicIssuerOf } from './public-issuer';
import { isSecureUrl } from './secure-url';

/** Allowed signature algorithms: those of the API server, which excludes symmetric keys. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const;

const problemParams = (code: Problem['code'], reason: string, remedy: string) => ({
  params: { problem: { code, reason, remedy } },
});

const secureUrl = (example: string) =>
  z
    .string()
    .max(512)
    .refine(
      isSecureUrl,
      problemParams(
        'bad-format',
        'must be an https URL (or http on a loopback address) without query and fragment',
        `use a URL such as ${example}`,
      ),
    );
const claim = () => z.string().min(1).max(128);
const issuerUrl = () => secureUrl('https://login.example.com');
const file = () =>
  z.string().check(textForm(/^\/\S+$/, 'must be an absolute path', 'use a path such as /etc/pinion/session/keys'));

const issuerSchema = z.strictObject({
  issuer: issuerUrl().describe('Issuer, exactly as in `iss` (--oidc-issuer-url).'),
  audience: z.string().min(1).max(512).describe('Audience, as in `aud` (--oidc-client-id).'),
  usernameClaim: claim().default('sub').describe('Claim with the user name (--oidc-username-claim).'),
  usernamePrefix: z
    .string()
    .max(253)
    .optional()
    .describe(
      'Prefix of user names (--oidc-username-prefix); "-" for none. Defaults to none for `email`, and to the issuer and # for other claims.',
    ),
  groupsClaim: claim().optional().describe('Claim with the groups (--oidc-groups-claim). Defaults to no groups.'),
  groupsPrefix: z.string().max(253).default('').describe('Prefix of groups (--oidc-groups-prefix).'),
  claims: z
    .record(claim(), z.array(z.string().min(1).max(512)).min(1).max(256))
    .optional()
    .describe(
      'Accepted values of claims; a token needs one value of each. Required for public issuers such as GitHub.',
    ),
  systemAuthenticated: z
    .boolean()
    .optional()
    .describe(
      'Whether its users are in the group system:authenticated. Defaults to true, and to false for public issuers.',
    ),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .max(algorithms.length)
    .default(['RS256'])
    .describe('Accepted signature algorithms (--oidc-signing-algs).'),
});

const maxSessionMillis = 8 * 3_600_000;
const millisOf = (text: string): number => parseDuration(text)?.millis ?? 0;

const sessionSchema = z.strictObject({
  issuer: issuerUrl().describe('Issuer for logins, one of `issuers`.'),
  clientId: z.string().min(1).max(512).describe('Client ID of the service.'),
  clientSecretFile: file().optional().describe('File with the client secret. Defaults to a public client with PKCE.'),
  publicUrl: secureUrl('https://deploy.example.com').describe('URL of the service for browsers.'),
  keysFile: file().describe('File with the keys of session cookies, one per line; the first encrypts, all decrypt.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/))
    .max(16)
    .default(['openid', 'profile', 'email']),
  maxDuration: z
    .string()
    .default('8h')
    .refine(
      (text) => millisOf(text) >= 60_000 && millisOf(text) <= maxSessionMillis,
      problemParams('out-of-range', 'must be a duration from 1m to 8h', 'use a duration such as 8h'),
    )
    .transform(millisOf)
    .describe('Maximum duration of a session, which never outlasts the login token.'),
});

const serviceAccountsSchema = z.strictObject({
  issuers: z.array(z.string().min(1).max(512)).min(1).max(8).describe('Issuers, exactly as in `iss`.'),
  audience: z.string().min(1).max(512).default('pinion-submission').describe('Required audience.'),
});

const identitySchema = z.strictObject({
  issuers: z.array(issuerSchema).max(16).default([]),
  serviceAccounts: serviceAccountsSchema.optional(),
  session: sessionSchema.optional(),
});

/** OpenID Connect issuer. User names and groups are the same as in an API server with these settings. */
export type IssuerSettings = z.output<typeof issuerSchema>;
/** Authentication of service accounts. */
export type ServiceAccountSettings = z.output<typeof serviceAccountsSchema>;
/** Browser login and sessions. */
export type SessionSettings = z.output<typeof sessionSchema>;
/** Identity settings as users write them. */
export type IdentityInput = z.input<typeof identitySchema>;
/** Identity settings with defaults. */
export type IdentitySettings = z.output<typeof identitySchema>;

/** Parses identity settings; reports all problems and never throws. */
export function safeParseIdentitySettings(input: unknown): {
  readonly settings?: IdentitySettings;
  readonly problems: readonly Problem[];
} {
  const parsed = identitySchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(identitySchema, input, parsed.error.issues, []) };
  const problems = consistencyProblems(parsed.data);
  return problems.length > 0 ? { problems } : { settings: parsed.data, problems };
}

function consistencyProblems({ issuers, serviceAccounts, session }: IdentitySettings): Problem[] {
  const problems: Problem[] = [];
  const names = [...issuers.map(({ issuer }) => issuer), ...(serviceAccounts?.issuers ?? [])];
  const pathOf = (index: number) =>
    index < issuers.length ? ['issuers', index, 'issuer'] : ['serviceAccounts', 'issuers', index - issuers.length];
  names.forEach((value, index) => {
    if (names.indexOf(value) === index) return;
    const reason = 'is listed twice, but tokens are assigned to verifiers only by issuer';
    problems.push({ code: 'duplicate', path: pathOf(index), value, reason, remedy: 'list each issuer once' });
  });
  issuers.forEach(({ issuer, claims = {} }, index) => {
    const known = publicIssuerOf(issuer);
    if (!known || known.claims.some((name) => claims[name] !== undefined)) return;
    const [first = ''] = known.claims;
    const names = known.claims.join(', ');
    problems.push({
      code: 'required',
      path: ['issuers', index, 'claims'],
      reason: `must have one of ${names}: anyone can get a token of ${known.name}`,
      remedy: `list your own, such as { ${first}: ["1234567"] }`,
    });
  });
  if (session && !issuers.some(({ issuer }) => issuer === session.issuer)) {
    const [path, reason, remedy] = [['session', 'issuer'], 'must be one of issuers', 'add it to issuers'];
    problems.push({ code: 'unknown-reference', path, value: session.issuer, reason, remedy });
  }
  if (session && new URL(session.publicUrl).pathname !== '/') {
    const [path, reason, remedy] = [
      ['session', 'publicUrl'],
      'must not have a path',
      'use a separate host for the service',
    ];
    problems.push({ code: 'bad-format', path, value: session.publicUrl, reason, remedy });
  }
  if (session && !session.scopes.includes('openid')) {
    const [path, reason, remedy] = [['session', 'scopes'], 'must include openid', 'add openid'];
    problems.push({ code: 'invalid-combination', path, value: session.scopes, reason, remedy });
  }
  if (issuers.length === 0 && !serviceAccounts) {
    const [reason, remedy] = ['has no token issuer; all requests would fail', 'add issuers or serviceAccounts'];
    problems.push({ code: 'required', path: [], reason, remedy });
  }
  return problems;
}
