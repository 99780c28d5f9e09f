import * as z from 'zod';
import { parseDuration, schemaProblems, type Problem } from '../api';
import { isSecureUrl } from './secure-url';

/** Signature algorithms that an issuer may be allowed: all that the API server knows, none with a shared key. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const;

const problemOf = (code: Problem['code'], reason: string, remedy: string) => ({
  params: { problem: { code, reason, remedy } },
});

const secureUrl = (example: string) =>
  z
    .string()
    .max(512)
    .refine(
      isSecureUrl,
      problemOf(
        'bad-format',
        'is no URL of https (or of http on a loopback address) without question mark and fragment',
        `write one, such as ${example}`,
      ),
    );
const claim = () => z.string().min(1).max(128);
const issuerUrl = () => secureUrl('https://login.example.com');
const file = () => z.string().regex(/^\/\S+$/, 'is no absolute path|write one, such as /etc/pinion/session/keys');

const issuerSchema = z.strictObject({
  issuer: issuerUrl().describe('What tokens say in `iss`, to the letter (--oidc-issuer-url).'),
  audience: z.string().min(1).max(512).describe('What tokens say in `aud` (--oidc-client-id).'),
  usernameClaim: claim().default('sub').describe('Claim that names the user (--oidc-username-claim).'),
  usernamePrefix: z
    .string()
    .max(253)
    .optional()
    .describe(
      'Prefix of the name (--oidc-username-prefix); "-" for none. Without it, `email` has no prefix and any other claim has the issuer and a #.',
    ),
  groupsClaim: claim()
    .optional()
    .describe('Claim that lists groups (--oidc-groups-claim); without it nobody has groups.'),
  groupsPrefix: z.string().max(253).default('').describe('Prefix of each group (--oidc-groups-prefix).'),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .max(algorithms.length)
    .default(['RS256'])
    .describe('Signature algorithms that it may use (--oidc-signing-algs).'),
});

const longestSession = 8 * 3_600_000;
const millisOf = (text: string): number => parseDuration(text)?.millis ?? 0;

const sessionSchema = z.strictObject({
  issuer: issuerUrl().describe('The one of the issuers with which people log in.'),
  clientId: z.string().min(1).max(512).describe('Identifier of the service at the issuer.'),
  clientSecretFile: file()
    .optional()
    .describe('File with the secret of that client; without one, PKCE alone protects the login.'),
  publicUrl: secureUrl('https://deploy.example.com').describe('Where browsers find the service.'),
  keysFile: file().describe('File of the keys that encrypt sessions, one a line; the first encrypts, all decrypt.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/))
    .max(16)
    .default(['openid', 'profile', 'email']),
  longest: z
    .string()
    .default('8h')
    .refine(
      (text) => millisOf(text) >= 60_000 && millisOf(text) <= longestSession,
      problemOf('out-of-range', 'is no duration from 1m to 8h', 'write one, such as 8h'),
    )
    .transform(millisOf)
    .describe('How long a session lasts at most; it never outlives the token of the login.'),
});

const serviceAccountsSchema = z.strictObject({
  issuers: z.array(z.string().min(1).max(512)).min(1).max(8).describe('What their tokens say in `iss`, to the letter.'),
  audience: z.string().min(1).max(512).default('pinion-submission').describe('What their tokens must say in `aud`.'),
});

const identitySchema = z.strictObject({
  issuers: z.array(issuerSchema).max(16).default([]),
  serviceAccounts: serviceAccountsSchema.optional(),
  session: sessionSchema.optional(),
});

/** An OpenID Connect issuer whose tokens are taken; its names are those that an API server with the same settings sees. */
export type IssuerSettings = z.output<typeof issuerSchema>;
/** How service accounts are known. */
export type ServiceAccountSettings = z.output<typeof serviceAccountsSchema>;
/** How people log in by a browser. */
export type SessionSettings = z.output<typeof sessionSchema>;
/** Who may be known to the service, and how, as a person writes it. */
export type IdentityInput = z.input<typeof identitySchema>;
/** Who may be known to the service, and how. */
export type IdentitySettings = z.output<typeof identitySchema>;

/** Reads who may be known to the service, or says all that is wrong with it; never throws for what it holds. */
export function examineIdentity(input: unknown): {
  readonly settings?: IdentitySettings;
  readonly problems: readonly Problem[];
} {
  const parsed = identitySchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(identitySchema, input, parsed.error.issues, []) };
  const problems = contradictions(parsed.data);
  return problems.length > 0 ? { problems } : { settings: parsed.data, problems };
}

function contradictions({ issuers, serviceAccounts, session }: IdentitySettings): Problem[] {
  const problems: Problem[] = [];
  const names = [...issuers.map(({ issuer }) => issuer), ...(serviceAccounts?.issuers ?? [])];
  const pathOf = (index: number) =>
    index < issuers.length ? ['issuers', index, 'issuer'] : ['serviceAccounts', 'issuers', index - issuers.length];
  names.forEach((value, index) => {
    if (names.indexOf(value) === index) return;
    const reason = 'is given twice, and a token says nothing but its issuer of who must verify it';
    problems.push({ code: 'duplicate', path: pathOf(index), value, reason, remedy: 'give each issuer once' });
  });
  if (session && !issuers.some(({ issuer }) => issuer === session.issuer)) {
    const [path, reason, remedy] = [['session', 'issuer'], 'is none of the issuers', 'list it among the issuers'];
    problems.push({ code: 'unknown-reference', path, value: session.issuer, reason, remedy });
  }
  if (session && new URL(session.publicUrl).pathname !== '/') {
    const [path, reason, remedy] = [['session', 'publicUrl'], 'has a path', 'give the service a host of its own'];
    problems.push({ code: 'bad-format', path, value: session.publicUrl, reason, remedy });
  }
  if (session && !session.scopes.includes('openid')) {
    const [path, reason, remedy] = [['session', 'scopes'], 'lacks openid, without which nobody is named', 'add openid'];
    problems.push({ code: 'contradiction', path, value: session.scopes, reason, remedy });
  }
  if (issuers.length === 0 && !serviceAccounts) {
    const [reason, remedy] = ['is nobody, so that every request would be refused', 'give issuers or serviceAccounts'];
    problems.push({ code: 'required', path: [], reason, remedy });
  }
  return problems;
}
