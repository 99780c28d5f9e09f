import { ProblemResponse } from '../../../lib/submission/problem-response';
import { LocalIssuer } from '../../local/issuer/local-issuer';
import { createSigningKey } from '../../local/issuer/signing-keys';
import { testContext, audience, issuerInput, makeIdentity, authenticate } from './identity-fixture';

jest.setTimeout(60_000);

const minute = 60_000;
const mint = (options: object = {}): Promise<string> =>
  testContext.issuer.createToken({ sub: 'ada' }, { audience, lifetime: 86_400, ...options });
const keyReads = (): number => testContext.issuer.asked.filter((path) => path === '/keys').length;
const accepted = { caller: { subject: 'oidc:ada' } };

test('keys are requested once, even for concurrent callers', async () => {
  const authenticator = makeIdentity();
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => mint({ header: { nth: index } })));
  for (const identified of await Promise.all(tokens.map((token) => authenticate(token, authenticator))))
    expect(identified).toMatchObject(accepted);
  expect(keyReads()).toBe(1);
});

test('a token with a new key is accepted at once, and one with a withdrawn key is rejected', async () => {
  const authenticator = makeIdentity();
  const [oldToken, unverifiedToken] = [await mint(), await mint({ header: { nth: 2 } })];
  expect(await authenticate(oldToken, authenticator)).toMatchObject(accepted);
  await testContext.issuer.rotate();
  testContext.clock.turn(minute);
  expect(await authenticate(await mint(), authenticator)).toMatchObject(accepted);
  for (const token of [oldToken, unverifiedToken])
    expect(await authenticate(token, authenticator)).toEqual({
      refused: expect.stringMatching(/key that its issuer does not publish/),
    });
});

test('a token with a withdrawn key is rejected within ten minutes, even without tokens with a new key', async () => {
  const authenticator = makeIdentity();
  const oldToken = await mint();
  expect(await authenticate(oldToken, authenticator)).toMatchObject(accepted);
  await testContext.issuer.rotate();
  testContext.clock.turn(10 * minute);
  expect(await authenticate(oldToken, authenticator)).toHaveProperty('refused');
});

test('while an old key is still listed, both are valid', async () => {
  const authenticator = makeIdentity();
  const oldToken = await mint();
  await testContext.issuer.rotate({ keepFormer: true });
  for (const token of [oldToken, await mint()])
    expect(await authenticate(token, authenticator)).toMatchObject(accepted);
});

test('a token without a key ID is tried with each key', async () => {
  await testContext.issuer.rotate({ keepFormer: true });
  const unnamed = { header: { kid: undefined } };
  expect(await authenticate(await mint(unnamed))).toMatchObject(accepted);
  const other = await createSigningKey('other');
  expect(await authenticate(await mint({ ...unnamed, key: other }))).toEqual({
    refused: expect.stringMatching(/signature/),
  });
});

test('tokens with invented key IDs do not flood the issuer', async () => {
  const authenticator = makeIdentity();
  await authenticate(await mint(), authenticator);
  testContext.clock.turn(minute);
  for (let nth = 0; nth < 20; nth++)
    expect(await authenticate(await mint({ header: { kid: `made-up-${nth}` } }), authenticator)).toHaveProperty(
      'refused',
    );
  expect(keyReads()).toBe(2);
});

test('while the issuer is unavailable, its last keys stay valid for an hour', async () => {
  const authenticator = makeIdentity();
  expect(await authenticate(await mint(), authenticator)).toMatchObject(accepted);
  testContext.issuer.isUnreachable = true;
  testContext.clock.turn(59 * minute);
  expect(await authenticate(await mint({ header: { nth: 1 } }), authenticator)).toMatchObject(accepted);
  testContext.clock.turn(2 * minute);
  const failure = await authenticate(await mint({ header: { nth: 2 } }), authenticator).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ProblemResponse);
  expect(failure).toMatchObject({ status: 503, details: { detail: expect.stringContaining('does not respond') } });
  testContext.issuer.isUnreachable = false;
  testContext.clock.turn(minute);
  expect(await authenticate(await mint(), authenticator)).toMatchObject(accepted);
});

test('an issuer that was never reachable is reported as such, and not as a bad token', async () => {
  testContext.issuer.isUnreachable = true;
  await expect(authenticate(await mint())).rejects.toMatchObject({ status: 503, details: { retryAfter: 10 } });
});

test('a verified token is not verified again', async () => {
  const authenticator = makeIdentity();
  const token = await mint();
  await authenticate(token, authenticator);
  const verify = jest.spyOn(crypto.subtle, 'verify');
  for (let nth = 0; nth < 50; nth++) expect(await authenticate(token, authenticator)).toMatchObject(accepted);
  expect(verify).not.toHaveBeenCalled();
  await authenticate(await mint({ header: { nth: 1 } }), authenticator);
  expect(verify).toHaveBeenCalledTimes(1);
  verify.mockRestore();
});

test('with several issuers each one authenticates its own users with its own keys', async () => {
  const other = await LocalIssuer.start({ algorithm: 'ES256' });
  try {
    const second = issuerInput({ issuer: other.url, usernamePrefix: 'second:', algorithms: ['ES256'] });
    const authenticator = makeIdentity({ issuers: [issuerInput(), second] });
    const theirs = (options: object) => other.createToken({ sub: 'ada' }, { audience, ...options });
    expect(await authenticate(await theirs({}), authenticator)).toMatchObject({
      caller: { subject: 'second:ada', issuer: other.url },
    });
    expect(await authenticate(await mint(), authenticator)).toMatchObject(accepted);
    expect(await authenticate(await theirs({ issuer: testContext.issuer.url }), authenticator)).toHaveProperty(
      'refused',
    );
    expect(await authenticate(await mint({ issuer: other.url }), authenticator)).toHaveProperty('refused');
  } finally {
    await other.stop();
  }
});
