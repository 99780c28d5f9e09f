import { ApiError } from '../../../lib/kube';
import { createSigningKey, signToken, type SigningKey } from '../../local/issuer/signing-keys';
import { testContext, makeIdentity, authenticate } from './identity-fixture';
import { reviewingClient, type ReviewSpec } from './scripted-reviews';

const issuer = 'https://kubernetes.default.svc';
const user = { username: 'system:serviceaccount:ci:bot', groups: ['system:serviceaccounts', 'system:authenticated'] };
const acceptedReview = { authenticated: true, audiences: ['pinion-submission'], user };

let key: SigningKey;
let reviews: ReviewSpec[] = [];
let respond: () => Promise<object> = async () => acceptedReview;
beforeAll(async () => (key = await createSigningKey('cluster')));
beforeEach(() => {
  reviews = [];
  respond = async () => acceptedReview;
});

const tokenOf = (lifetime = 3600, header = {}): Promise<string> =>
  signToken(
    { sub: user.username },
    { issuer, audience: 'pinion-submission', key, now: testContext.clock.now(), lifetime, header },
  );
const publishedKeys = async () => [key.jwk];
/** An authenticator whose API server publishes its keys, unless others are given. */
const createAuthenticator = (keys: (() => Promise<readonly object[]>) | undefined = publishedKeys) =>
  makeIdentity(
    { serviceAccounts: { issuers: [issuer] } },
    {
      client: reviewingClient((review) => {
        reviews.push(review);
        return respond();
      }, keys),
    },
  );
const keysUnavailable = () => Promise.reject(new ApiError(403, 'Forbidden', 'not allowed'));

test('a service account is the user that the API server returns for the audience of the service', async () => {
  const token = await tokenOf();
  expect(await authenticate(token, createAuthenticator())).toEqual({
    by: 'bearer',
    caller: { subject: user.username, issuer, kind: 'ServiceAccount', groups: user.groups },
  });
  expect(reviews).toEqual([{ token, audiences: ['pinion-submission'] }]);
});

test.each<[string, object, RegExp]>([
  ['the API server does not know', { authenticated: false, error: 'planted-secret' }, /does not accept/],
  ['is for the API server itself', { ...acceptedReview, audiences: [] }, /is not for/],
  ['is for another audience', { ...acceptedReview, audiences: ['vault'] }, /is not for/],
  ['belongs to a user', { ...acceptedReview, user: { username: 'ada' } }, /not from a service account/],
])('a token that %s is rejected', async (_, response, reason) => {
  respond = async () => response;
  const identified = await authenticate(await tokenOf(), createAuthenticator());
  expect(identified).toEqual({ refused: expect.stringMatching(reason) });
  expect(JSON.stringify(identified)).not.toContain('planted-secret');
});

test('a deleted service account is rejected within half a minute', async () => {
  const [authenticator, token] = [createAuthenticator(), await tokenOf()];
  expect(await authenticate(token, authenticator)).toHaveProperty('caller');
  respond = async () => ({ authenticated: false });
  testContext.clock.turn(29_000);
  expect(await authenticate(token, authenticator)).toHaveProperty('caller');
  expect(reviews).toHaveLength(1);
  testContext.clock.turn(1_000);
  expect(await authenticate(token, authenticator)).toHaveProperty('refused');
});

test('a token is not cached beyond its expiry', async () => {
  const [authenticator, token] = [createAuthenticator(), await tokenOf(5)];
  await authenticate(token, authenticator);
  testContext.clock.turn(6_000);
  expect(await authenticate(token, authenticator)).toEqual({ refused: 'the token has expired' });
});

test('a repeated invalid token, even in concurrent requests, causes one request to the API server', async () => {
  const [authenticator, token] = [createAuthenticator(), await tokenOf()];
  respond = async () => ({ authenticated: false });
  await Promise.all(Array.from({ length: 40 }, () => authenticate(token, authenticator)));
  await authenticate(token, authenticator);
  expect(reviews).toHaveLength(1);
  testContext.clock.turn(10_000);
  respond = async () => acceptedReview;
  expect(await authenticate(token, authenticator)).toHaveProperty('caller');
});

test('an API server that does not respond is reported, and no token is accepted or rejected because of it', async () => {
  const [authenticator, token] = [createAuthenticator(), await tokenOf()];
  respond = () => Promise.reject(new ApiError(0, 'Unreachable', `cannot send ${token}`));
  const failure = await authenticate(token, authenticator).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 503 });
  expect(`${String(failure)}${JSON.stringify(failure)}`).not.toContain(token);
  respond = async () => acceptedReview;
  expect(await authenticate(token, authenticator)).toHaveProperty('caller');
});

/** Swaps the outcomes of a promise. */
const rejectionOf = (result: Promise<unknown>): Promise<unknown> =>
  result.then(
    () => Promise.reject(new Error('fulfilled')),
    (error: unknown) => error,
  );

test('concurrent token reviews are bounded', async () => {
  const authenticator = createAuthenticator();
  const pending: (() => void)[] = [];
  respond = () => new Promise((fulfil) => pending.push(() => fulfil(acceptedReview)));
  const tokens = await Promise.all(Array.from({ length: 33 }, (_, nth) => tokenOf(3600, { nth })));
  const results = tokens.map((token) => authenticate(token, authenticator));
  // A review that is answered makes room for another: the rejection comes first.
  await expect(Promise.any(results.map(rejectionOf))).resolves.toMatchObject({
    status: 503,
    details: { retryAfter: 1 },
  });
  expect(pending).toHaveLength(32);
  for (const fulfil of pending) fulfil();
  const settled = await Promise.allSettled(results);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('forged tokens cause no token review', async () => {
  const authenticator = createAuthenticator();
  const [forger, now] = [await createSigningKey('cluster'), testContext.clock.now()];
  const forged = (options: object) =>
    signToken({ sub: user.username }, { issuer, audience: 'pinion-submission', key: forger, now, ...options });
  const reasonOf = async (token: string) => {
    const result = await authenticate(token, authenticator);
    return 'refused' in result ? result.refused : 'accepted';
  };
  for (let nth = 0; nth < 50; nth++)
    expect(await reasonOf(await forged({ header: { nth } }))).toMatch(/no signature of the API server/);
  expect(await reasonOf(await forged({ audience: 'vault' }))).toMatch(/audience/);
  expect(await reasonOf(await forged({ lifetime: -1 }))).toMatch(/expired/);
  expect(await reasonOf(await forged({ key: await createSigningKey('other') }))).toMatch(/no signature/);
  expect(reviews).toEqual([]);
  expect(await authenticate(await tokenOf(), authenticator)).toHaveProperty('caller');
});

test('a token with a new key of the API server is accepted at once', async () => {
  const keys = [key.jwk];
  const authenticator = createAuthenticator(async () => keys);
  expect(await authenticate(await tokenOf(), authenticator)).toHaveProperty('caller');
  const newKey = await createSigningKey('rotated');
  keys.push(newKey.jwk);
  testContext.clock.turn(10_000);
  const options = { issuer, audience: 'pinion-submission', key: newKey, now: testContext.clock.now() };
  expect(await authenticate(await signToken({ sub: user.username }, options), authenticator)).toHaveProperty('caller');
});

test('the rate of reviews is bounded for unknown tokens of one account, and in total without keys', async () => {
  // The rate refills with time, also while the tokens are signed.
  testContext.clock.stop();
  for (const keys of [undefined, keysUnavailable]) {
    reviews = [];
    const authenticator = createAuthenticator(keys);
    const known = await tokenOf();
    expect(await authenticate(known, authenticator)).toHaveProperty('caller');
    const results = [];
    for (let nth = 0; nth < 60; nth++)
      results.push(await authenticate(await tokenOf(3600, { nth }), authenticator).catch((error: unknown) => error));
    expect(results.filter((one) => (one as { status?: number }).status === 503)).toHaveLength(21);
    // A token that was accepted before is reviewed again nevertheless.
    testContext.clock.turn(30_000);
    const before = reviews.length;
    expect(await authenticate(known, authenticator)).toHaveProperty('caller');
    expect(reviews).toHaveLength(before + 1);
  }
});

test('an issuer that is not listed for service accounts causes no token review', async () => {
  const token = await signToken(
    {},
    { issuer: 'kubernetes/serviceaccount', audience: 'a', key, now: testContext.clock.now() },
  );
  expect(await authenticate(token, createAuthenticator())).toEqual({
    refused: expect.stringMatching(/issuer of the token is unknown/),
  });
  expect(reviews).toEqual([]);
});
