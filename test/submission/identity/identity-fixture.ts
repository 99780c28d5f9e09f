import { type AuthenticationResult } from '../../../lib/submission/authenticator';
import { safeParseIdentitySettings, type IdentityInput } from '../../../lib/programs';
import { knownIdentity, type KnownIdentityOptions } from '../../../lib/submission/identity/index';
import { LocalIssuer } from '../../local/issuer/local-issuer';
import { reviewingClient } from './scripted-reviews';
import { AdjustableClock } from './adjustable-clock';

/** Audience of test tokens. */
export const audience = 'pinion';

/** Issuer of the test file, set before each test. */
export const at = { issuer: undefined as unknown as LocalIssuer, clock: new AdjustableClock() };

beforeAll(async () => {
  at.issuer = await LocalIssuer.start();
}, 60_000);
afterAll(() => at.issuer.stop());
beforeEach(() => {
  at.clock = new AdjustableClock();
  at.issuer.isUnreachable = false;
  at.issuer.asked.length = 0;
});

/** Settings of the test file's issuer. */
export const issuerInput = (overrides: object = {}): NonNullable<IdentityInput['issuers']>[number] => ({
  issuer: at.issuer.url,
  audience,
  usernamePrefix: 'oidc:',
  groupsClaim: 'groups',
  ...overrides,
});

/** Returns an authenticator with these settings; by default with the issuer of the test file. */
export function makeIdentity(input: IdentityInput = {}, overrides: Partial<KnownIdentityOptions> = {}) {
  const { settings, problems } = safeParseIdentitySettings({ issuers: [issuerInput()], ...input });
  if (!settings) throw new Error(JSON.stringify(problems));
  const client = reviewingClient(() => Promise.reject(new Error('unexpected token review')));
  return knownIdentity({ settings, clock: at.clock, client, ...overrides });
}

/** Authenticates a token. */
export const authenticate = (token: string, { identity } = makeIdentity()): Promise<AuthenticationResult> =>
  identity.callerOf({ authorization: `Bearer ${token}` });
