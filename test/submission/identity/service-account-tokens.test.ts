import { ApiError } from '../../../lib/kube';
import { createSigningKey, signToken, type SigningKey } from '../../local/issuer/signing-keys';
import { at, makeIdentity, authenticate } from './identity-fixture';
import { reviewingClient, type AskedReview } from './scripted-reviews';

const issuer = 'https://kubernetes.default.svc';
const user = { username: 'system:serviceaccount:ci:bot', groups: ['system:serviceaccounts', 'system:authenticated'] };
const good = { authenticated: true, audiences: ['pinion-submission'], user };

let key: SigningKey;
let asked: AskedReview[] = [];
let says: () => Promise<object> = async () => good;
beforeAll(async () => (key = await createSigningKey('cluster')));
beforeEach(() => {
  asked = [];
  says = async () => good;
});

const tokenOf = (lifetime = 3600, header = {}): Promise<string> =>
  signToken(
    { sub: user.username },
    { issuer, audience: 'pinion-submission', key, now: at.clock.now(), lifetime, header },
  );
const reviewed = () =>
  makeIdentity(
    { serviceAccounts: { issuers: [issuer] } },
    {
      client: reviewingClient((review) => {
        asked.push(review);
        return says();
      }),
    },
  );

test('a service account is the user that the API server returns for our audience', async () => {
  const token = await tokenOf();
  expect(await authenticate(token, reviewed())).toEqual({
    by: 'bearer',
    caller: { subject: user.username, issuer, kind: 'ServiceAccount', groups: user.groups },
  });
  expect(asked).toEqual([{ token, audiences: ['pinion-submission'] }]);
});

test.each<[string, object, RegExp]>([
  ['the API server does not know', { authenticated: false, error: 'planted-secret' }, /does not accept/],
  ['is for the API server itself', { ...good, audiences: [] }, /is not for/],
  ['is for another audience', { ...good, audiences: ['vault'] }, /is not for/],
  ['belongs to a user', { ...good, user: { username: 'ada' } }, /not from a service account/],
])('a token that %s is rejected', async (_, answer, reason) => {
  says = async () => answer;
  const identified = await authenticate(await tokenOf(), reviewed());
  expect(identified).toEqual({ refused: expect.stringMatching(reason) });
  expect(JSON.stringify(identified)).not.toContain('planted-secret');
});

test('a deleted service account is rejected within half a minute', async () => {
  const [who, token] = [reviewed(), await tokenOf()];
  expect(await authenticate(token, who)).toHaveProperty('caller');
  says = async () => ({ authenticated: false });
  at.clock.turn(29_000);
  expect(await authenticate(token, who)).toHaveProperty('caller');
  expect(asked).toHaveLength(1);
  at.clock.turn(1_000);
  expect(await authenticate(token, who)).toHaveProperty('refused');
});

test('a token is not cached beyond its expiry', async () => {
  const [who, token] = [reviewed(), await tokenOf(5)];
  await authenticate(token, who);
  at.clock.turn(6_000);
  await authenticate(token, who);
  expect(asked).toHaveLength(2);
});

test('a repeated bad token, or concurrent requests, cause one API server request', async () => {
  const [who, token] = [reviewed(), await tokenOf()];
  says = async () => ({ authenticated: false });
  await Promise.all(Array.from({ length: 40 }, () => authenticate(token, who)));
  await authenticate(token, who);
  expect(asked).toHaveLength(1);
  at.clock.turn(10_000);
  says = async () => good;
  expect(await authenticate(token, who)).toHaveProperty('caller');
});

test('an API server that does not respond is reported, and no token is accepted or rejected because of it', async () => {
  const [who, token] = [reviewed(), await tokenOf()];
  says = () => Promise.reject(new ApiError(0, 'Unreachable', `cannot send ${token}`));
  const failure = await authenticate(token, who).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 503 });
  expect(`${String(failure)}${JSON.stringify(failure)}`).not.toContain(token);
  says = async () => good;
  expect(await authenticate(token, who)).toHaveProperty('caller');
});

test('concurrent token reviews are bounded', async () => {
  const who = reviewed();
  const waiting: (() => void)[] = [];
  says = () => new Promise((fulfil) => waiting.push(() => fulfil(good)));
  const tokens = await Promise.all(Array.from({ length: 33 }, (_, nth) => tokenOf(3600, { nth })));
  const answers = tokens.map((token) => authenticate(token, who));
  await expect(answers[32]).rejects.toMatchObject({ status: 503, details: { retryAfter: 1 } });
  for (const fulfil of waiting) fulfil();
  for (const answer of answers.slice(0, 32)) expect(await answer).toHaveProperty('caller');
});

test('an issuer that is not listed for service accounts causes no token review', async () => {
  const token = await signToken({}, { issuer: 'kubernetes/serviceaccount', audience: 'a', key, now: at.clock.now() });
  expect(await authenticate(token, reviewed())).toEqual({
    refused: expect.stringMatching(/issuer of the token is unknown/),
  });
  expect(asked).toEqual([]);
});
