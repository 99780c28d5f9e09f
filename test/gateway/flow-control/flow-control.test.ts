import { FlowControl, type AdmittedRead } from '../../../lib/gateway/flow-control/flow-control';
import { defaultFlowPolicyFacts, type FlowPolicyFacts } from '../../../lib/gateway/flow-control/flow-policy';
import { type ApiCaller } from '../../../lib/gateway/identity/api-caller';
import { ManualClock } from '../../kube/manual-clock';

const budget = { requestsPerSecond: 5, concurrentRequests: 3, bytesPerSecond: 1_000 };
const facts: FlowPolicyFacts = {
  ...defaultFlowPolicyFacts,
  onCallGroups: new Set(['platform-oncall']),
  default: { project: { ...budget, requestsPerSecond: 8 }, serviceAccount: budget, user: budget },
};
const account = (project: string, name: string): ApiCaller => ({
  user: `system:serviceaccount:${project}:${name}`,
  groups: ['system:serviceaccounts', 'system:authenticated'],
  extra: {},
});
const user = (name: string, ...groups: string[]): ApiCaller => ({ user: name, groups, extra: {} });

/** Sends requests that end at once; returns how many are admitted, and the first rejection. */
function burst(flow: FlowControl, caller: ApiCaller, count = 1_000): { admitted: number; rejection: unknown } {
  for (let admitted = 0; admitted < count; admitted++) {
    const read = flow.admit(caller);
    if ('status' in read) return { admitted, rejection: read };
    read.end(0);
  }
  return { admitted: count, rejection: undefined };
}

let clock: ManualClock;
let current: FlowPolicyFacts;
let flow: FlowControl;
beforeEach(() => {
  clock = new ManualClock();
  current = facts;
  flow = new FlowControl({ clock, facts: () => current });
});

test('holds a service account to its budget, and its project to that of all of them', () => {
  expect(burst(flow, account('shop', 'a'))).toEqual({
    admitted: 10,
    rejection: {
      scope: 'serviceAccount',
      limit: 'requestsPerSecond',
      level: 'workloads',
      delay: 0,
      status: {
        code: 429,
        reason: 'TooManyRequests',
        message:
          'service account "shop/a" exceeds its API budget of 5 requests per second; watch instead of polling, read less ' +
          'at a time, or have spec.apiBudget.serviceAccount.requestsPerSecond of Project "shop" raised',
        details: { retryAfterSeconds: 1 },
      },
    },
  });
  expect(burst(flow, account('shop', 'b'))).toMatchObject({
    admitted: 6,
    rejection: {
      scope: 'project',
      status: {
        message: expect.stringContaining('have spec.apiBudget.requestsPerSecond of Project "shop" raised') as string,
      },
    },
  });
  expect(burst(flow, account('other', 'a')).admitted).toBe(10);
});

test('a service account is not a user of the same name, nor that of another namespace', () => {
  burst(flow, account('shop', 'a'));
  expect(burst(flow, user('a')).admitted).toBe(10);
  expect(burst(flow, user('a'))).toMatchObject({
    admitted: 0,
    rejection: {
      scope: 'user',
      status: {
        message: expect.stringContaining('spec.defaultApiBudget.user.requestsPerSecond of the Platform') as string,
      },
    },
  });
});

test.each([
  ['a service account of a platform namespace', account('kube-system', 'a')],
  ['a kubelet', user('system:node:a', 'system:nodes')],
  ['the platform team', user('ann', 'platform-oncall')],
])('%s has no budget', (_name, caller) => expect(burst(flow, caller).admitted).toBe(1_000));

test('a service account gains nothing by a group of the platform team', () => {
  const caller = { ...account('shop', 'a'), groups: ['platform-oncall', 'system:nodes'] };
  expect(burst(flow, caller).admitted).toBe(10);
});

test('expected bytes count before the response is sent, and are corrected by the actual ones', () => {
  const first = flow.admit(account('shop', 'a')) as AdmittedRead;
  first.expect(5_000);
  expect(flow.admit(account('shop', 'a'))).toMatchObject({ limit: 'bytesPerSecond' });
  first.end(100);
  first.end(1_000_000);
  expect(burst(flow, account('shop', 'a'), 1)).toMatchObject({ admitted: 1 });
});

test('a read that sends less than it costs at least is charged what it costs', () => {
  const first = flow.admit(account('shop', 'a')) as AdmittedRead;
  first.expect(5_000, 3_000);
  first.end(100);
  expect(flow.admit(account('shop', 'a'))).toMatchObject({
    limit: 'bytesPerSecond',
    status: { details: { retryAfterSeconds: 1 } },
  });
});

test('a read that no longer counts as in progress is still charged, however long it lasts', async () => {
  const reads = Array.from({ length: 3 }, () => flow.admit(account('shop', 'a')) as AdmittedRead);
  expect(flow.admit(account('shop', 'a'))).toMatchObject({ limit: 'concurrentRequests' });
  for (const read of reads) {
    read.free();
    read.free();
  }
  // Longer than an idle budget is remembered.
  await clock.advance(300_000);
  expect(burst(flow, account('shop', 'b'), 1).admitted).toBe(1);
  reads[0]?.charge(1_000);
  expect(burst(flow, account('shop', 'a'), 3).admitted).toBe(3);
  reads[0]?.end(5_000);
  expect(flow.admit(account('shop', 'a'))).toMatchObject({ limit: 'bytesPerSecond' });
  await clock.advance(10_000);
  // It was freed once only.
  const again = Array.from({ length: 4 }, () => flow.admit(account('shop', 'a')));
  expect(again[3]).toMatchObject({ limit: 'concurrentRequests' });
});

test('Retry-After is the time until the debt is gone, but at most a minute', () => {
  const retryAfter = (): unknown => {
    const rejection = flow.admit(account('shop', 'a'));
    return 'status' in rejection ? rejection.status.details?.['retryAfterSeconds'] : undefined;
  };
  (flow.admit(account('shop', 'a')) as AdmittedRead).end(9_500);
  expect(retryAfter()).toBe(8);
  (flow.admit(account('else', 'a')) as AdmittedRead).end(0);
  current = { ...facts, default: { ...facts.default, serviceAccount: { ...budget, bytesPerSecond: 1 } } };
  expect(retryAfter()).toBe(60);
});

test('a budget of a Project acts at once', () => {
  burst(flow, account('shop', 'a'));
  const large = { requestsPerSecond: 100, concurrentRequests: 50, bytesPerSecond: 1_000_000 };
  current = { ...facts, projects: new Map([['shop', { project: large, serviceAccount: large }]]) };
  expect(burst(flow, account('shop', 'a')).admitted).toBe(0);
  return clock.advance(1_000).then(() => expect(burst(flow, account('shop', 'a')).admitted).toBe(100));
});

test('a level that is busy leaves the seats of others alone, and rejects in time', async () => {
  flow = new FlowControl({ clock, facts: () => current, seats: { platform: 1, 'on-call': 1, users: 1, workloads: 1 } });
  const seat = async (caller: ApiCaller): Promise<unknown> => (flow.admit(caller) as AdmittedRead).seat(1);
  await seat(account('shop', 'a'));
  const waits = seat(account('shop', 'b'));
  expect(await seat(account('kube-system', 'a'))).toBeInstanceOf(Function);
  expect(await seat(user('ann', 'platform-oncall'))).toBeInstanceOf(Function);
  expect(await seat(user('ben'))).toBeInstanceOf(Function);
  expect(flow.levels.workloads.waiting).toBe(1);
  // A client that reads slowly does not keep its seats.
  await clock.advance(5_000);
  expect(await waits).toBeInstanceOf(Function);
});

test('bounds the open watches of an account, but not those of the platform', () => {
  const open = (caller: ApiCaller): unknown[] => Array.from({ length: 1_001 }, () => flow.admitWatch(caller));
  const opened = open(account('shop', 'a'));
  expect(opened[1_000]).toEqual({
    scope: 'serviceAccount',
    limit: 'openWatches',
    level: 'workloads',
    delay: 0,
    status: {
      code: 429,
      reason: 'TooManyRequests',
      message:
        'service account "shop/a" has 1000 open watches at this gateway, its limit; close those that are not needed, or ' +
        'let clients share one',
      details: { retryAfterSeconds: 10 },
    },
  });
  (opened[0] as () => void)();
  expect(flow.admitWatch(account('shop', 'a'))).toBeInstanceOf(Function);
  for (const caller of [account('kube-system', 'a'), user('ann', 'platform-oncall')])
    expect(open(caller).every((each) => typeof each === 'function')).toBe(true);
});

test('forgets who is idle', async () => {
  for (let index = 0; index < 100; index++) burst(flow, account(`project-${index}`, 'a'), 1);
  expect(flow.meters).toBe(200);
  await clock.advance(61_000);
  burst(flow, account('shop', 'a'), 1);
  expect(flow.meters).toBe(2);
});

test('writes count against no budget', () => {
  burst(flow, account('shop', 'a'));
  expect(() => flow.admitUncounted(account('shop', 'a')).end(1_000_000)).not.toThrow();
  expect(flow.admit(account('shop', 'a'))).toMatchObject({ limit: 'requestsPerSecond' });
});

test('delays rejections of a client that asks again at once, and of no other', () => {
  const ask = (name: string): unknown => {
    const read = flow.admit(account('shop', name));
    return 'status' in read ? read.delay : undefined;
  };
  const delays = Array.from({ length: 60 }, () => ask('noisy'));
  expect(delays.filter((delay) => delay === 0)).toHaveLength(20);
  expect(delays.at(-1)).toBeGreaterThan(1_000);
  expect(Array.from({ length: 10 }, () => ask('quiet')).filter((delay) => delay !== undefined && delay !== 0)).toEqual(
    [],
  );
});
