import { ProblemResponse } from '../../../lib/submission/problem-response';
import { LocalIssuer } from '../../local/issuer/local-issuer';
import { createSigningKey } from '../../local/issuer/signing-keys';
import { at, audience, issuerInput, makeIdentity, authenticate } from './identity-fixture';

jest.setTimeout(60_000);

const minute = 60_000;
const mint = (terms: object = {}): Promise<string> =>
  at.issuer.createToken({ sub: 'ada' }, { audience, lifetime: 86_400, ...terms });
const keyReads = (): number => at.issuer.asked.filter((path) => path === '/keys').length;
const taken = { caller: { subject: 'oidc:ada' } };

test('keys are requested once, also for concurrent callers', async () => {
  const who = makeIdentity();
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => mint({ header: { nth: index } })));
  for (const identified of await Promise.all(tokens.map((token) => authenticate(token, who))))
    expect(identified).toMatchObject(taken);
  expect(keyReads()).toBe(1);
});

test('a token with a new key is accepted at once, and one with a withdrawn key is rejected', async () => {
  const who = makeIdentity();
  const [former, unseen] = [await mint(), await mint({ header: { nth: 2 } })];
  expect(await authenticate(former, who)).toMatchObject(taken);
  await at.issuer.rotate();
  at.clock.turn(minute);
  expect(await authenticate(await mint(), who)).toMatchObject(taken);
  for (const token of [former, unseen])
    expect(await authenticate(token, who)).toEqual({
      refused: expect.stringMatching(/key that its issuer does not publish/),
    });
});

test('a token with a withdrawn key is rejected within ten minutes, even without tokens with a new key', async () => {
  const who = makeIdentity();
  const former = await mint();
  expect(await authenticate(former, who)).toMatchObject(taken);
  await at.issuer.rotate();
  at.clock.turn(10 * minute);
  expect(await authenticate(former, who)).toHaveProperty('refused');
});

test('while an old key is still listed both are valid', async () => {
  const who = makeIdentity();
  const former = await mint();
  await at.issuer.rotate({ keepFormer: true });
  for (const token of [former, await mint()]) expect(await authenticate(token, who)).toMatchObject(taken);
});

test('a token without a key ID is tried with each key', async () => {
  await at.issuer.rotate({ keepFormer: true });
  const unnamed = { header: { kid: undefined } };
  expect(await authenticate(await mint(unnamed))).toMatchObject(taken);
  const other = await createSigningKey('other');
  expect(await authenticate(await mint({ ...unnamed, key: other }))).toEqual({
    refused: expect.stringMatching(/signature/),
  });
});

test('tokens with invented key IDs do not flood the issuer', async () => {
  const who = makeIdentity();
  await authenticate(await mint(), who);
  at.clock.turn(minute);
  for (let nth = 0; nth < 20; nth++)
    expect(await authenticate(await mint({ header: { kid: `made-up-${nth}` } }), who)).toHaveProperty('refused');
  expect(keyReads()).toBe(2);
});

test('while the issuer is unavailable, its last keys stay valid for an hour', async () => {
  const who = makeIdentity();
  expect(await authenticate(await mint(), who)).toMatchObject(taken);
  at.issuer.isUnreachable = true;
  at.clock.turn(59 * minute);
  expect(await authenticate(await mint({ header: { nth: 1 } }), who)).toMatchObject(taken);
  at.clock.turn(2 * minute);
  const failure = await authenticate(await mint({ header: { nth: 2 } }), who).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProblemResponse);
  expect(failure).toMatchObject({ status: 503, details: { detail: expect.stringContaining('does not respond') } });
  at.issuer.isUnreachable = false;
  at.clock.turn(minute);
  expect(await authenticate(await mint(), who)).toMatchObject(taken);
});

test('an issuer that was never reachable is reported as such, and not as a bad token', async () => {
  at.issuer.isUnreachable = true;
  await expect(authenticate(await mint())).rejects.toMatchObject({ status: 503, details: { retryAfter: 10 } });
});

test('a verified token is not verified again', async () => {
  const who = makeIdentity();
  const token = await mint();
  await authenticate(token, who);
  const verify = jest.spyOn(crypto.subtle, 'verify');
  for (let nth = 0; nth < 50; nth++) expect(await authenticate(token, who)).toMatchObject(taken);
  expect(verify).not.toHaveBeenCalled();
  await authenticate(await mint({ header: { nth: 1 } }), who);
  expect(verify).toHaveBeenCalledTimes(1);
  verify.mockRestore();
});

test('with several issuers each one authenticates its own users with its own keys', async () => {
  const other = await LocalIssuer.start({ algorithm: 'ES256' });
  try {
    const second = issuerInput({ issuer: other.url, usernamePrefix: 'second:', algorithms: ['ES256'] });
    const who = makeIdentity({ issuers: [issuerInput(), second] });
    const theirs = (terms: object) => other.createToken({ sub: 'ada' }, { audience, ...terms });
    expect(await authenticate(await theirs({}), who)).toMatchObject({
      caller: { subject: 'second:ada', issuer: other.url },
    });
    expect(await authenticate(await mint(), who)).toMatchObject(taken);
    expect(await authenticate(await theirs({ issuer: at.issuer.url }), who)).toHaveProperty('refused');
    expect(await authenticate(await mint({ issuer: other.url }), who)).toHaveProperty('refused');
  } finally {
    await other.stop();
  }
});
