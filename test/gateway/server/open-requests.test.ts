import { Registry } from 'prom-client';
import { type RbacMirror } from '../../../lib/gateway/authorization/rbac-mirror';
import { type ApiCaller } from '../../../lib/gateway/identity/api-caller';
import { type DeletedIdentities } from '../../../lib/gateway/identity/deleted-identities';
import { type TokenReviews } from '../../../lib/gateway/identity/token-reviews';
import { GatewayMetrics } from '../../../lib/gateway/metrics/gateway-metrics';
import { OpenRequests } from '../../../lib/gateway/server/open-requests';
import { ManualClock } from '../../kube/manual-clock';
import { tokenWith } from '../identity/token-with';

const caller = { user: 'ann', groups: [], extra: {} };

/** Requests of a clock whose random numbers are given, and what ended when. */
function openRequests(...random: readonly number[]) {
  const numbers = [...random];
  const clock = new ManualClock(() => numbers.shift() ?? 0);
  const startedAt = clock.now();
  const open = new OpenRequests({
    clock,
    rbac: { onChange: () => () => undefined } as Partial<RbacMirror> as RbacMirror,
    deleted: { onDeletion: () => () => undefined } as Partial<DeletedIdentities> as DeletedIdentities,
    tokens: { review: () => Promise.resolve(caller) } as Partial<TokenReviews> as TokenReviews,
    metrics: new GatewayMetrics(new Registry()),
    onError: () => undefined,
  });
  const ended: [name: string, after: number][] = [];
  const add = (name: string, isResumable: boolean): (() => void) => {
    const remove = open.add({ caller, token: name, isResumable, isAllowed: true }, () => {
      ended.push([name, clock.now() - startedAt]);
      remove();
    });
    return remove;
  };
  return { open, clock, ended, add };
}

describe('open requests that drain', () => {
  it('end at random times within the time if clients continue them elsewhere, new ones too', async () => {
    const { open, clock, ended, add } = openRequests(0.1, 0.9, 0.5);
    add('first', true);
    add('second', true);
    const drained = open.drain(10_000);
    await clock.advance(4_000);
    add('late', true);
    await clock.advance(6_000);
    await drained;
    expect(ended).toEqual([
      ['first', 1_000],
      ['late', 7_000],
      ['second', 9_000],
    ]);
  });

  it('have the whole time if they cannot be continued', async () => {
    const { open, clock, ended, add } = openRequests();
    add('shell', false);
    let isDrained = false;
    void open.drain(10_000).then(() => (isDrained = true));
    await clock.advance(9_900);
    expect({ isDrained, ended }).toEqual({ isDrained: false, ended: [] });
    await clock.advance(200);
    expect({ isDrained, ended }).toEqual({ isDrained: true, ended: [] });
    open.stop();
    expect(ended).toEqual([['shell', 10_100]]);
  });

  it('are drained as soon as none is left', async () => {
    const { open, clock, add } = openRequests();
    const finish = add('upload', false);
    let isDrained = false;
    void open.drain(10_000).then(() => (isDrained = true));
    await clock.advance(1_000);
    finish();
    await clock.advance(100);
    expect(isDrained).toBe(true);
  });
});

it('ends watches whose roles may be outdated while the reviews of tokens hang', async () => {
  const clock = new ManualClock();
  let isRecent = true;
  const open = new OpenRequests({
    clock,
    rbac: { onChange: () => () => undefined, isRecent: () => isRecent } as Partial<RbacMirror> as RbacMirror,
    deleted: { onDeletion: () => () => undefined } as Partial<DeletedIdentities> as DeletedIdentities,
    tokens: { review: () => new Promise(() => undefined) } as Partial<TokenReviews> as TokenReviews,
    metrics: new GatewayMetrics(new Registry()),
    onError: () => undefined,
  });
  let isEnded = false;
  open.start();
  open.add({ caller, token: 'one', isResumable: true, isAllowed: true }, () => (isEnded = true));
  await clock.advance(5_000);
  expect(isEnded).toBe(false);
  isRecent = false;
  await clock.advance(5_000);
  expect(isEnded).toBe(true);
  open.stop();
});

describe('an open request whose token', () => {
  const valid = tokenWith({ sub: 'ann' });

  /** Opens a request; each review has the next of some results, and after them the last one. */
  function openWith(token: string, ...results: readonly ('accepted' | 'rejected' | 'unavailable')[]) {
    const clock = new ManualClock();
    let reviews = 0;
    const review = (): Promise<ApiCaller | undefined> => {
      const result = results[Math.min(reviews++, results.length - 1)];
      return result === 'unavailable'
        ? Promise.reject(new Error('the API server is away'))
        : Promise.resolve(result === 'accepted' ? caller : undefined);
    };
    const open = new OpenRequests({
      clock,
      rbac: { onChange: () => () => undefined, isRecent: () => true } as Partial<RbacMirror> as RbacMirror,
      deleted: { onDeletion: () => () => undefined } as Partial<DeletedIdentities> as DeletedIdentities,
      tokens: { review, reviewAgain: review } as Partial<TokenReviews> as TokenReviews,
      metrics: new GatewayMetrics(new Registry()),
      onError: () => undefined,
    });
    let endedAfter: number | undefined;
    const startedAt = clock.now();
    open.start();
    const remove = open.add({ caller, token, isAllowed: true }, () => {
      endedAfter ??= clock.now() - startedAt;
      remove();
    });
    return { open, clock, endedAfter: () => endedAfter };
  }

  it.each([
    ['is rejected once, as by an API server that starts', ['accepted', 'rejected', 'accepted']],
    ['is rejected, and then cannot be reviewed', ['rejected', 'unavailable', 'accepted']],
    ['cannot be reviewed', ['unavailable']],
  ] as const)('%s remains', async (_what, results) => {
    const { open, clock, endedAfter } = openWith(valid, ...results);
    await clock.advance(60_000);
    expect(endedAfter()).toBeUndefined();
    open.stop();
    expect(clock.pending).toBe(0);
  });

  it('is rejected twice in a row ends within eight seconds', async () => {
    const { clock, endedAfter } = openWith(valid, 'rejected');
    await clock.advance(8_000);
    expect(endedAfter()).toBe(7_500);
  });

  it('has expired ends with the first rejection', async () => {
    const { clock, endedAfter } = openWith(tokenWith({ sub: 'ann', exp: 1_003 }), 'rejected');
    await clock.advance(5_000);
    expect(endedAfter()).toBe(5_000);
  });
});
