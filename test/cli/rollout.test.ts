import { atTerminal, quickClock } from './run-with-service';
import { RolloutCluster, rolloutKubeconfig, storedRollout } from './rollout-cluster';
import { pinion } from './terminal';

const cluster = new RolloutCluster();
beforeEach(async () => {
  Object.assign(cluster, { rollouts: [], platforms: [], projects: [], refusal: undefined, isInstalled: true });
  cluster.onRequest = () => undefined;
  await cluster.start();
});
afterEach(() => cluster.server.close());

/** 2026-11-21, 14:00. */
const clock = { ...quickClock, now: () => Date.UTC(2026, 10, 21, 14) };
const system = { environment: {}, clock };
const rollout = (...argv: string[]) => pinion(['rollout', ...argv, ...rolloutKubeconfig()], '', { system });
const answering = (answer: string, ...argv: string[]) =>
  pinion(['rollout', ...argv, ...rolloutKubeconfig()], answer, { system, ...atTerminal });

const waves = [
  { name: 'first', phase: 'Completed', workloads: 1, completed: 1, ended: '2026-11-21T12:30:00Z' },
  { name: 'early', phase: 'Progressing', workloads: 20, completed: 11, started: '2026-11-21T12:35:30Z' },
];
const transit = [
  {
    workload: 'PinterestService/shop/cart',
    uid: 'u1',
    revision: 'rev-b',
    wave: 'early',
    since: '2026-11-21T13:58:50Z',
  },
  { workload: 'PinterestDaemon/ops/agent', uid: 'u2', revision: 'rev-b', wave: 'early', since: '2026-11-21T11:59:00Z' },
];
const progressing = {
  ...{
    phase: 'Progressing',
    reason: 'Releasing',
    message: 'Releases wave early.',
    started: '2026-11-21T12:01:00Z',
  },
  ...{ wave: 'early', workloads: 40, completed: 12, waves, transit },
};
const shop = { metadata: { name: 'shop' }, spec: { team: 'carts', onCall: '#carts' } };
const open = () => storedRollout('rollout-b', {}, progressing);
const ended = (phase: string, spec = {}) => storedRollout('rollout-b', spec, { phase, workloads: 40, completed: 12 });
const policy = (onFailure: string) => ({ policy: { onFailure } });

describe('status', () => {
  test('shows waves, workloads in transit with their teams and ages, findings and the next step', async () => {
    const findings = {
      failed: [{ workload: 'PinterestService/shop/cart', message: 'SidecarCrashLoop:\ncontainer proxy' }],
      blocked: [{ workload: 'PinterestService/shop/till', message: 'spec.tier: "gold" must be one of spec.tiers' }],
    };
    const emergency = { reason: 'CVE-2026-1', until: '2026-11-21T15:00:00Z' };
    cluster.rollouts = [
      storedRollout('rollout-a', { revision: 'rev-a' }, { phase: 'Completed' }, '2026-11-20T00:00:00Z'),
      storedRollout('rollout-b', { emergency }, { ...progressing, ...findings }),
    ];
    cluster.projects = [shop];
    const { code, out, err } = await rollout('status');
    expect([code, err]).toEqual([5, '']);
    expect(`\n${out}`).toBe(`
rollout-b: Progressing, wave early (2 of 2)

revision     rev-b
started      2026-11-21T12:01:00Z (1h59m ago)
workloads    12 of 40 completed, 2 in transit, 1 failed, 1 blocked
emergency    until 2026-11-21T15:00:00Z: CVE-2026-1
reason       Releasing
message      Releases wave early.

WAVE   PHASE        COMPLETED  SINCE
first  Completed    1 of 1     1h30m ago
early  Progressing  11 of 20   1h24m ago

in transit:
PROJECT  TEAM   ON CALL  WORKLOAD               WAVE   AGE
shop     carts  #carts   PinterestService/cart  early  1m10s
ops      -      -        PinterestDaemon/agent  early  2h1m

failed:
PROJECT  TEAM   ON CALL  WORKLOAD               MESSAGE
shop     carts  #carts   PinterestService/cart  SidecarCrashLoop: container proxy

blocked:
PROJECT  TEAM   ON CALL  WORKLOAD               MESSAGE
shop     carts  #carts   PinterestService/till  spec.tier: "gold" must be one of spec.tiers

next step: The controller releases workloads wave by wave; "pinion rollout pause rollout-b" stops that.
`);
  });

  test('JSON has what the text has; an expired emergency is not active', async () => {
    const emergency = { reason: 'CVE-2026-1', until: '2026-11-21T13:59:59Z' };
    cluster.rollouts = [storedRollout('rollout-b', { emergency }, progressing)];
    cluster.projects = 'forbidden';
    const { code, out } = await rollout('status', 'rollout-b', '-o', 'json');
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      ...{ name: 'rollout-b', phase: 'Progressing', wave: 'early', workloads: 40, completed: 12, waves },
      transit: [
        { kind: 'PinterestService', project: 'shop', name: 'cart', seconds: 70 },
        { kind: 'PinterestDaemon', project: 'ops', name: 'agent', seconds: 7260 },
      ],
      emergency: { ...emergency, isActive: false },
    });
    expect(out).not.toContain('team');
  });

  test.each([
    ['Pending', {}, 5, /^The controller starts it;/],
    ['Paused', { paused: true }, 23, /^Continue with "pinion rollout resume rollout-b"/],
    ['Paused', {}, 23, /^It continues by itself once the reason is gone;/],
    [
      'Failed',
      policy('Halt'),
      20,
      /^Return to the former revision with "pinion rollout rollback rollout-b", or delete/,
    ],
    ['Failed', policy('Rollback'), 5, /^The controller creates the rollback;/],
    ['Aborted', { aborted: true }, 21, /^Return to the former revision/],
    ['Aborted', { aborted: true, rollback: true }, 5, /^The controller creates the rollback;/],
    ['RolledBack', {}, 22, /^Set the former values in the Platform/],
    ['Completed', {}, 0, /^None/],
  ])('exits by the phase %s of spec %j with %i', async (phase, spec, expected, next) => {
    cluster.rollouts = [ended(phase, spec)];
    const { code, out } = await rollout('status', '-o', 'json');
    const { nextStep } = JSON.parse(out) as { readonly nextStep: string };
    expect([code, nextStep]).toEqual([expected, expect.stringMatching(next) as string]);
  });

  test('shows what a rollback in progress is the remedy of, and who owns workloads without one in transit', async () => {
    const message =
      'workloads return to their former revisions; PinterestService/shop/cart: AppCrashLoop:\nexit code 1';
    const failed = { phase: 'Failed', reason: 'WorkloadsFail', message };
    const blocked = [{ workload: 'PinterestService/shop/till', message: 'the API server rejects its objects' }];
    cluster.rollouts = [
      storedRollout('rollout-b', policy('Rollback'), failed),
      storedRollout(
        'rollback-b',
        { rollbackOf: 'rollout-b' },
        { phase: 'Progressing', workloads: 3, completed: 1, blocked },
        '2026-11-21T13:00:00Z',
      ),
    ];
    cluster.projects = [shop];
    const { code, out } = await rollout('status');
    expect(code).toBe(5);
    expect(out).toContain(`
cause        rollout-b: WorkloadsFail: ${message.replace('\n', ' ')}
`);
    expect(out).toContain('shop     carts  #carts   PinterestService/till  the API server rejects its objects\n');
    const view = JSON.parse((await rollout('status', '-o', 'json')).out) as object;
    expect(view).toMatchObject({ cause: { name: 'rollout-b', reason: 'WorkloadsFail', message } });
  });

  const rollbackSpec = { rollbackOf: 'rollout-a' };
  test.each([
    [
      'Paused',
      { ...rollbackSpec, paused: true },
      {},
      'Continue with "pinion rollout resume rollout-b", or stop it with "pinion rollout abort rollout-b".',
    ],
    [
      'Pending',
      {},
      { reason: 'Frozen' },
      'It starts by itself once the freeze ends; "pinion rollout emergency rollout-b --reason TEXT" does not wait.',
    ],
    [
      'Pending',
      {},
      { reason: 'WaitsForCanary' },
      'It starts by itself once the canary passes; "pinion rollout emergency rollout-b --reason TEXT" does not wait.',
    ],
    [
      'Progressing',
      {},
      { reason: 'Frozen' },
      'It continues by itself once the freeze ends; "pinion rollout emergency rollout-b --reason TEXT" does not wait.',
    ],
    [
      'Progressing',
      {},
      { reason: 'WaitsForCanary' },
      'It continues by itself once the canary passes; "pinion rollout emergency rollout-b --reason TEXT" does not wait.',
    ],
    ['Aborted', {}, { reason: 'Superseded' }, 'None: the Platform has another revision; see "pinion rollout status".'],
    [
      'Completed',
      {},
      { blocked: [{ workload: 'PinterestService/shop/till', message: 'm' }] },
      'Workloads under "blocked" keep their revisions; ask their teams to change them.',
    ],
    [
      'Progressing',
      rollbackSpec,
      {},
      'The controller returns workloads to their former revisions; follow it with "pinion rollout status rollout-b --watch".',
    ],
    [
      'Pending',
      rollbackSpec,
      {},
      'The controller returns workloads to their former revisions; follow it with "pinion rollout status rollout-b --watch".',
    ],
  ])('names the next step of the phase %s with spec %j and status %j', async (phase, spec, status, next) => {
    cluster.rollouts = [storedRollout('rollout-b', spec, { phase, ...status })];
    const { out } = await rollout('status', 'rollout-b', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({ nextStep: next });
  });

  test('shows a rollout that was rolled back instead of its completed rollback', async () => {
    cluster.rollouts = [
      ended('RolledBack'),
      storedRollout('rollback-b', { rollbackOf: 'rollout-b' }, { phase: 'Completed' }, '2026-11-21T13:00:00Z'),
    ];
    const { code, out } = await rollout('status');
    expect([code, out]).toEqual([22, expect.stringContaining('rollback     rollback-b: Completed\n') as string]);
  });

  test.each([
    ['Progressing', 5, 'PlatformRollout rollback-b rolls it back'],
    ['Paused', 23, 'PlatformRollout rollback-b rolls it back'],
    ['Failed', 20, 'The rollback stopped as well; see "pinion rollout status rollback-b"'],
  ])('a failed rollout whose rollback is %s exits with %i', async (phase, expected, next) => {
    const rollback = storedRollout('rollback-b', { rollbackOf: 'rollout-b' }, { phase }, '2026-11-21T13:00:00Z');
    cluster.rollouts = [ended('Failed', policy('Rollback')), rollback];
    const { code, out } = await rollout('status', 'rollout-b');
    expect([code, out]).toEqual([expected, expect.stringContaining(next) as string]);
  });

  test('a rollback of a deleted rollout of the same name does not count', async () => {
    const before = storedRollout(
      'rollback-b',
      { rollbackOf: 'rollout-b' },
      { phase: 'Completed' },
      '2026-11-20T00:00:00Z',
    );
    cluster.rollouts = [before, ended('Failed', policy('Halt'))];
    const { code, out } = await rollout('status');
    expect([code, out.includes('rollback-b')]).toEqual([20, false]);
  });

  test('--all lists the newest first', async () => {
    cluster.rollouts = [
      storedRollout(
        'rollout-a',
        { revision: 'rev-a' },
        { phase: 'Completed', workloads: 3, completed: 3 },
        '2026-11-20T00:00:00Z',
      ),
      open(),
    ];
    const { code, out } = await rollout('status', '--all');
    expect(code).toBe(0);
    expect(`\n${out}`).toBe(`
NAME       PHASE        WAVE   COMPLETED  REVISION  ROLLBACK OF  STARTED    REASON
rollout-b  Progressing  early  12 of 40   rev-b     -            1h59m ago  Releasing
rollout-a  Completed    -      3 of 3     rev-a     -            -          -
`);
    const json = JSON.parse((await rollout('status', '--all', '-o', 'json')).out) as readonly unknown[];
    expect(json).toMatchObject([{ name: 'rollout-b' }, { name: 'rollout-a' }]);
  });

  test.each([
    [[], 'there is no Platform, so pinion is not installed'],
    [[{ spec: {} }], 'the Platform has no spec.rollouts, so changes reach workloads as its spec.runtime states'],
    [[{ spec: { rollouts: {} } }], 'the controller has not recorded a revision of the Platform yet'],
    [[{ spec: { rollouts: {} }, status: { revisions: { completed: 'rev-a' } } }], 'workloads follow revision rev-a'],
  ])('says why there is no rollout with Platforms %j', async (platforms, reason) => {
    cluster.platforms = platforms.map((platform) => ({ metadata: { name: 'cluster' }, ...platform }));
    const { code, err } = await rollout('status');
    expect([code, err]).toEqual([1, expect.stringContaining(`pinion: no rollout: ${reason}`) as string]);
    expect((await rollout('status', '--all')).out).toContain(reason);
    expect(await rollout('pause')).toMatchObject({ code: 1, err });
  });

  test('names the rollouts that exist, and a cluster without the definition', async () => {
    cluster.rollouts = [open()];
    expect(await rollout('status', 'rollout-x')).toMatchObject({
      code: 1,
      err: 'pinion: no PlatformRollout rollout-x; the cluster has rollout-b\n',
    });
    cluster.isInstalled = false;
    const { code, err } = await rollout('status');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('the cluster has no definition of PlatformRollout') as string,
    ]);
  });

  test('NAME and --all exclude each other, as do --all and --watch', async () => {
    expect((await rollout('status', 'rollout-b', '--all')).code).toBe(2);
    expect((await rollout('status', '--all', '--watch')).code).toBe(2);
  });
});

describe('status --watch', () => {
  /** Runs until a status, one change with each list of rollouts after the first. */
  const watchThrough = (changes: readonly (() => void)[], ...argv: string[]) => {
    const left = [...changes];
    let lists = 0;
    cluster.onRequest = ({ method, url }) => {
      if (method === 'GET' && /platformrollouts(\?|$)/.test(url) && lists++ > 1) left.shift()?.();
    };
    return pinion(['rollout', 'status', '--watch', ...argv, ...rolloutKubeconfig()], '', {
      system: { environment: {}, clock: quickClock },
    });
  };
  const to =
    (phase: string, name = 'rollout-b') =>
    () =>
      cluster.setStatus(name, { phase });

  test('prints each change once, and exits with 0 once it has completed', async () => {
    cluster.rollouts = [open()];
    const { code, out, err } = await watchThrough([
      () => undefined,
      () => cluster.setStatus('rollout-b', { completed: 30, transit: [] }),
      () =>
        cluster.setStatus('rollout-b', { phase: 'Completed', completed: 40, reason: undefined, message: undefined }),
    ]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^rollout-b: Completed/) as string]);
    const lines = err.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^\S+Z /, ''))).toEqual([
      'Progressing, wave early (2 of 2): 12 of 40 workloads completed, 2 in transit, Releasing: Releases wave early.',
      'Progressing, wave early (2 of 2): 30 of 40 workloads completed, Releasing: Releases wave early.',
      'Completed, wave early (2 of 2): 40 of 40 workloads completed',
    ]);
  });

  test('waits through a failure until the controller has rolled it back', async () => {
    cluster.rollouts = [open()];
    const rollback = storedRollout(
      'rollback-b',
      { rollbackOf: 'rollout-b' },
      { phase: 'Pending' },
      '2026-11-21T13:00:00Z',
    );
    const { code, err, out } = await watchThrough([
      to('Failed'),
      () => (cluster.rollouts = [...cluster.rollouts, rollback]),
      to('Completed', 'rollback-b'),
      to('RolledBack'),
    ]);
    expect([code, out]).toEqual([22, expect.stringMatching(/^rollout-b: RolledBack/) as string]);
    expect(err).toMatch(/Failed[^\n]*\n[^\n]*rollback rollback-b Pending[^\n]*\n[^\n]*rollback rollback-b Completed/);
  });

  test('ends when it is paused, and on timeout with 5; JSON is only on standard output', async () => {
    cluster.rollouts = [open()];
    const { code, out } = await watchThrough([to('Paused')], '-o', 'json');
    expect([code, JSON.parse(out)]).toMatchObject([23, { phase: 'Paused' }]);
    cluster.rollouts = [open()];
    expect((await watchThrough([], '--timeout', '12s')).code).toBe(5);
  });

  test('a rollout that is deleted meanwhile is an error', async () => {
    cluster.rollouts = [open()];
    const { code, err } = await watchThrough([() => (cluster.rollouts = [])]);
    expect([code, err]).toEqual([1, expect.stringContaining('PlatformRollout rollout-b was deleted') as string]);
  });
});

describe('changes', () => {
  test('pause and resume patch the open rollout with its version, and nothing if nothing changes', async () => {
    cluster.rollouts = [open()];
    expect(await rollout('pause')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^rollout-b: paused;/) as string,
    });
    expect(await rollout('pause')).toMatchObject({
      out: expect.stringMatching(/^rollout-b: already paused;/) as string,
    });
    expect(await rollout('resume')).toMatchObject({ code: 0, out: 'rollout-b: resumed\n' });
    expect(await rollout('resume')).toMatchObject({ code: 0, out: 'rollout-b: already resumed\n' });
    expect(cluster.patches()).toEqual([
      { metadata: { resourceVersion: '1' }, spec: { paused: true } },
      { metadata: { resourceVersion: '2' }, spec: { paused: false } },
    ]);
  });

  test('JSON shows the rollout afterwards', async () => {
    cluster.rollouts = [storedRollout('rollout-b', {}, { ...progressing, phase: 'Paused' })];
    const { out } = await rollout('pause', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      name: 'rollout-b',
      nextStep: expect.stringMatching(/^Continue with "pinion rollout resume/) as string,
    });
  });

  test('a status that the controller writes meanwhile does not fail a change; a lasting conflict does', async () => {
    cluster.rollouts = [open()];
    let writes = 0;
    cluster.onRequest = ({ method }) => {
      if (method === 'PATCH' && writes++ < 2) cluster.setStatus('rollout-b', { completed: 12 + writes });
    };
    expect(await rollout('pause')).toMatchObject({ code: 0 });
    expect(cluster.patches()).toHaveLength(3);
    cluster.onRequest = ({ method }) => method === 'PATCH' && cluster.setStatus('rollout-b', {});
    expect(await rollout('resume')).toMatchObject({
      code: 1,
      err: 'pinion: PlatformRollout rollout-b was not changed: the object has been modified\n',
    });
  });

  test('a conflict does not hide that the rollout has ended meanwhile', async () => {
    cluster.rollouts = [open()];
    cluster.onRequest = ({ method }) => method === 'PATCH' && cluster.setStatus('rollout-b', { phase: 'Completed' });
    const { code, err } = await rollout('pause');
    expect([code, err]).toEqual([1, expect.stringContaining('rollout-b has ended: it is Completed') as string]);
  });

  test('abort, rollback and emergency require --yes without a terminal', async () => {
    cluster.rollouts = [open()];
    for (const argv of [['abort'], ['rollback'], ['emergency', '--reason', 'CVE']])
      expect(await rollout(...argv)).toMatchObject({
        code: 2,
        err: expect.stringContaining('cannot ask for confirmation without a terminal; pass --yes') as string,
      });
    expect(cluster.patches()).toEqual([]);
  });

  test('a terminal shows the state and the consequence, and asks', async () => {
    cluster.rollouts = [open()];
    const declined = await answering('n', 'abort');
    expect(declined.code).toBe(5);
    expect(declined.err).toMatch(/^rollout-b: Progressing, wave early .*\nNo other workload is released.*\nContinue\?/);
    expect(cluster.patches()).toEqual([]);
    expect(await answering('y', 'abort')).toMatchObject({ code: 0, out: 'rollout-b: aborted\n' });
    expect(await answering('y', 'rollback')).toMatchObject({ code: 0 });
    expect(cluster.patches()).toEqual([
      { metadata: { resourceVersion: '1' }, spec: { aborted: true } },
      { metadata: { resourceVersion: '2' }, spec: { rollback: true } },
    ]);
    expect(await answering('', 'rollback')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^rollout-b: already rolled back/) as string,
    });
  });

  test('emergency sets reason and expiry, and --end removes it', async () => {
    cluster.rollouts = [open()];
    expect(await rollout('emergency', '--reason', 'CVE-2026-1', '--for', '90m', '--yes')).toMatchObject({ code: 0 });
    expect(await rollout('emergency', '--end')).toMatchObject({ code: 0, out: 'rollout-b: without an emergency\n' });
    expect(await rollout('emergency', '--end')).toMatchObject({ out: 'rollout-b: already without an emergency\n' });
    expect(cluster.patches()).toEqual([
      {
        metadata: { resourceVersion: '1' },
        spec: { emergency: { reason: 'CVE-2026-1', until: '2026-11-21T15:30:00Z' } },
      },
      { metadata: { resourceVersion: '2' }, spec: { emergency: null } },
    ]);
    expect((await rollout('emergency', '--yes')).code).toBe(2);
    expect((await rollout('emergency', '--reason', ' ', '--yes')).code).toBe(2);
    expect((await rollout('emergency', '--reason', 'x', '--for', '25h', '--yes')).code).toBe(2);
  });

  test.each(['pause', 'resume', 'abort', 'emergency'])('%s of a finished rollout is an error', async (command) => {
    cluster.rollouts = [ended('Failed', policy('Halt'))];
    const options = command === 'emergency' ? ['--reason', 'x', '--yes'] : command === 'abort' ? ['--yes'] : [];
    expect(await rollout(command, ...options)).toMatchObject({
      code: 1,
      err: 'pinion: no rollout is in progress; the last one, rollout-b, is Failed\n',
    });
    expect(await rollout(command, 'rollout-b', ...options)).toMatchObject({
      code: 1,
      err: 'pinion: PlatformRollout rollout-b has ended: it is Failed; see "pinion rollout status rollout-b"\n',
    });
    expect(cluster.patches()).toEqual([]);
  });

  test('rollback refuses a rollout that is older than a completed one', async () => {
    const later = storedRollout('rollout-c', { revision: 'rev-c' }, { phase: 'Completed' }, '2026-11-21T13:00:00Z');
    cluster.rollouts = [ended('Aborted'), later];
    const { code, err } = await rollout('rollback', 'rollout-b', '--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('rollout-b is older than rollout-c, which has completed')]);
    expect(err).toContain('set the values that you want in the Platform');
    expect(cluster.patches()).toEqual([]);
  });

  test('rollback accepts a failed rollout, but neither a completed one nor a rollback', async () => {
    cluster.rollouts = [ended('Failed', policy('Halt'))];
    expect((await rollout('rollback', '--yes')).code).toBe(0);
    cluster.rollouts = [ended('Completed')];
    expect(await rollout('rollback', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('rollout-b has completed; set the former values in the Platform') as string,
    });
    cluster.rollouts = [storedRollout('rollback-b', { rollbackOf: 'rollout-b' }, { phase: 'Progressing' })];
    expect(await rollout('rollback', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('rollback-b is itself a rollback') as string,
    });
    expect(cluster.patches()).toHaveLength(1);
  });

  test('resume says why a rollout is paused that no command has paused', async () => {
    cluster.rollouts = [ended('Paused')];
    cluster.setStatus('rollout-b', { reason: 'Stalled', message: 'shop/cart is not ready.' });
    expect(await rollout('resume')).toMatchObject({
      code: 1,
      err: 'pinion: PlatformRollout rollout-b was not paused by a command: Stalled: shop/cart is not ready.\n',
    });
  });

  test.each([
    [
      403,
      'Forbidden',
      'user ann is in none of the groups',
      /groups\. It takes a group of spec\.administrators or spec\.breakGlass/,
    ],
    [422, 'Invalid', 'spec.emergency.reason: too long', /was not changed: spec\.emergency\.reason: too long\n$/],
  ])('a refusal with %i is explained', async (code, reason, message, expected) => {
    cluster.rollouts = [open()];
    cluster.refusal = { code, reason, message };
    const result = await rollout('pause');
    expect([result.code, result.err]).toEqual([1, expect.stringMatching(expected) as string]);
  });
});
