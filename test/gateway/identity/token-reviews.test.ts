import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type AddressInfo } from 'node:net';
import { TokenReviews, TooManyReviews } from '../../../lib/gateway/identity/token-reviews';
import { connect, type KubeClient } from '../../../lib/kube';
import { ManualClock } from '../../kube/manual-clock';
import { realClock } from '../../kube/real-clock';
import { tokenWith } from './token-with';

const audience = 'pinion-gateway';

let apiServer: Server;
let client: KubeClient;
/** Reviews that the API server has yet to answer. */
let pending: ServerResponse[];
/** Audiences for which it was asked, of each review. */
let audiences: unknown[];
let reviews: TokenReviews;
let clock: ManualClock;

beforeEach(async () => {
  [pending, audiences] = [[], []];
  apiServer = createServer((request, response) => {
    void text(request).then((body) => {
      audiences.push((JSON.parse(body) as { readonly spec: { readonly audiences?: unknown } }).spec.audiences);
      pending.push(response);
    });
  });
  await new Promise<void>((resolve) => apiServer.listen(0, '127.0.0.1', resolve));
  const settings = {
    server: `http://127.0.0.1:${(apiServer.address() as AddressInfo).port}`,
    namespace: 'default',
    credential: () => Promise.resolve({ token: 'of-the-gateway' }),
  };
  client = connect(settings, { clock: realClock, userAgent: 'test', rate: { qps: 1_000, burst: 1_000 } });
  clock = new ManualClock();
  reviews = new TokenReviews(client, audience, clock);
});
afterEach(async () => {
  client.close();
  apiServer.closeAllConnections();
  await new Promise((resolve) => apiServer.close(resolve));
});

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition() && tries < 300; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
};
const answer = (authenticated: boolean, user: object = { username: 'ann' }): void => {
  const status = { authenticated, audiences: [audience], user };
  for (const response of pending.splice(0))
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
};
const tokenOf = (id: string): string => tokenWith({ aud: [audience], jti: id });

test.each([
  ['is no JWT', 'secret'],
  ['has two parts', 'a.b'],
  ['has a payload that is no JSON', 'a.b.c'],
  ['is of a service account for another audience', tokenWith({ aud: ['a'], sub: 'system:serviceaccount:a:b' })],
  ['is of a pod for another audience', tokenWith({ aud: 'a', 'kubernetes.io': { pod: { name: 'b' } } })],
  ['has expired', tokenWith({ aud: [audience], exp: 900 })],
  ['is of a user and has expired', tokenWith({ aud: 'kubernetes', sub: 'ann', exp: 900 })],
])('a token that %s is rejected without a review', async (_what, token) => {
  expect(await reviews.review(token, '10.0.0.1')).toBeUndefined();
  expect(pending).toEqual([]);
});

test.each([
  ['has expired within the difference of clocks', tokenWith({ aud: [audience], exp: 950 })],
  ['names its audience as a text', tokenWith({ aud: audience })],
])('the API server decides about a token that %s', async (_what, token) => {
  const review = reviews.review(token, '10.0.0.1');
  await until(() => pending.length === 1);
  answer(true);
  expect(await review).toMatchObject({ user: 'ann' });
});

test('new tokens of one address have four reviews at a time, and leave the others to other addresses', async () => {
  const first = Array.from({ length: 4 }, (_, index) => reviews.review(tokenOf(`${index}`), '10.0.0.1'));
  await expect(reviews.review(tokenOf('4'), '10.0.0.1')).rejects.toThrow(TooManyReviews);
  // The same token needs no other review.
  const same = reviews.review(tokenOf('0'), '10.0.0.1');
  const other = reviews.review(tokenOf('4'), '10.0.0.2');
  await until(() => pending.length === 5);
  answer(false);
  expect(await Promise.all([...first, same, other])).toEqual(Array.from({ length: 6 }, () => undefined));
  const next = reviews.review(tokenOf('5'), '10.0.0.1');
  await until(() => pending.length === 1);
  answer(true);
  expect(await next).toMatchObject({ user: 'ann' });
});

test('a token that was accepted is reviewed again beside new ones of its address', async () => {
  const first = reviews.review(tokenOf('known'), '10.0.0.1');
  await until(() => pending.length === 1);
  answer(true);
  await first;
  await clock.advance(6_000);
  const others = Array.from({ length: 4 }, (_, index) => reviews.review(tokenOf(`${index}`), '10.0.0.1'));
  const again = reviews.review(tokenOf('known'), '10.0.0.1');
  await until(() => pending.length === 5);
  answer(true);
  expect(await again).toMatchObject({ user: 'ann' });
  await Promise.all(others);
});

test('a rejection is confirmed by a review of its own, for which new tokens leave room', async () => {
  const ask = async (review: () => Promise<unknown>, authenticated: boolean): Promise<unknown> => {
    const asked = review();
    await until(() => pending.length === 1);
    answer(authenticated);
    return asked;
  };
  expect(await ask(() => reviews.review(tokenOf('known'), '10.0.0.1'), true)).toMatchObject({ user: 'ann' });
  await clock.advance(6_000);
  expect(await ask(() => reviews.review(tokenOf('known')), false)).toBeUndefined();
  expect(await reviews.review(tokenOf('known'))).toBeUndefined();
  const others = Array.from({ length: 32 }, (_, index) => reviews.review(tokenOf(`${index}`), `10.0.0.${index % 8}`));
  await until(() => pending.length === 32);
  await expect(reviews.review(tokenOf('new'), '10.0.0.9')).rejects.toThrow(TooManyReviews);
  const again = reviews.reviewAgain(tokenOf('known'));
  await until(() => pending.length === 33);
  answer(true);
  expect(await again).toMatchObject({ user: 'ann' });
  await Promise.all(others);
  // Known again, it is remembered.
  expect(await reviews.review(tokenOf('known'))).toMatchObject({ user: 'ann' });
});

describe('the token of a user', () => {
  const token = tokenWith({ iss: 'https://login.example.com', aud: 'kubernetes', sub: 'ann', exp: 1_002 });

  test('is reviewed as the API server authenticates it, and comes with the requests of its user', async () => {
    const review = reviews.review(token, '10.0.0.1');
    await until(() => pending.length === 1);
    answer(true, { username: 'oidc:ann', uid: '7', groups: ['oidc:dev', 'system:authenticated'] });
    const ann = { user: 'oidc:ann', uid: '7', groups: ['oidc:dev', 'system:authenticated'], extra: {}, token };
    expect(await review).toEqual(ann);
    expect(await reviews.review(token, '10.0.0.1')).toEqual(ann);
    expect(audiences).toEqual([undefined]);
  });

  test.each([
    ['the name of a service account', { username: 'system:serviceaccount:a:b' }],
    ['the name of a node', { username: 'system:node:a', groups: ['system:nodes'] }],
    ['no name', { username: '' }],
    ['the group of administrators', { username: 'ann', groups: ['system:masters', 'system:authenticated'] }],
    ['a group of service accounts', { username: 'ann', groups: ['system:serviceaccounts:kube-system'] }],
  ])('is rejected if it has %s', async (_what, user) => {
    const review = reviews.review(token, '10.0.0.1');
    await until(() => pending.length === 1);
    answer(true, user);
    expect(await review).toBeUndefined();
  });

  test('counts no longer than it is valid, although its review would', async () => {
    const first = reviews.review(token, '10.0.0.1');
    await until(() => pending.length === 1);
    answer(true);
    expect(await first).toMatchObject({ user: 'ann' });
    await clock.advance(2_000);
    const second = reviews.review(token, '10.0.0.1');
    await until(() => pending.length === 1);
    answer(false);
    expect(await second).toBeUndefined();
  });
});
