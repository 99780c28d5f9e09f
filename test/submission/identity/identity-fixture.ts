import { type AuthenticationResult } from '../../../lib/submission/authenticator';
import { safeParseIdentitySettings, type IdentityInput } from '../../../lib/programs';
import { createAuthenticator, type AuthenticatorOptions } from '../../../lib/submission/identity';
import { LocalIssuer } from '../../local/issuer/local-issuer';
import { reviewingClient } from './scripted-reviews';
import { AdjustableClock } from './adjustable-clock';

/** Audience of test tokens. */
export const audience = 'pinion';

/** Issuer of the test file, set before each test. */
export const testContext = { issuer: undefined as unknown as LocalIssuer, clock: new AdjustableClock() };

beforeAll(async () => {
  testContext.issuer = await LocalIssuer.start();
}, 60_000);
afterAll(() => testContext.issuer.stop());
beforeEach(() => {
  testContext.clock = new AdjustableClock();
  testContext.issuer.isUnreachable = false;
  testContext.issuer.asked.length = 0;
});

/** Settings of the test file's issuer. */
export const issuerInput = (overrides: object = {}): NonNullable<IdentityInput['issuers']>[number] => ({
  issuer: testContext.issuer.url,
  audience,
  usernamePrefix: 'oidc:',
  groupsClaim: 'groups',
  ...overrides,
});

/** Returns an authenticator with these settings; by default with the issuer of the test file. */
export function makeIdentity(input: IdentityInput = {}, overrides: Partial<AuthenticatorOptions> = {}) {
  const { settings, problems } = safeParseIdentitySettings({ issuers: [issuerInput()], ...input });
  if (!settings) throw new Error(JSON.stringify(problems));
  const client = reviewingClient(() => Promise.reject(new Error('unexpected token review')));
  return createAuthenticator({ settings, clock: testContext.clock, client, ...overrides });
}

/** Authenticates a token. */
export const authenticate = (token: string, { identity } = makeIdentity()): Promise<AuthenticationResult> =>
  identity.authenticate({ authorization: `Bearer ${token}` });
