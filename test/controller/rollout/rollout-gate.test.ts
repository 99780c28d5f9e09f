import { judgeHealth } from '../../../lib/controller/rollout/rollout-gate';
import { type RolloutWorkload } from '../../../lib/controller/rollout/rollout-workload';
import { moved, start, waiting } from './rollout-input';

const failing = (uid: string) => moved(uid, { isReady: false, isSettled: false, failure: 'AppCrashLoop: exit code 1' });
const peers = (count: number, unready = 0) =>
  Array.from({ length: count }, (_, index) => waiting(`peer-${index}`, { isReady: index >= unready }));

const judge = (counted: readonly RolloutWorkload[], maxFailures = 0, since?: string) =>
  judgeHealth({
    ...{ counted, policy: { maxFailures, stalledAfter: '30m' }, stalledAfter: 1_800_000, now: start },
    transit: since === undefined ? [] : [{ uid: 'a', workload: 'a', revision: 'rev-b', wave: 'rest', since }],
  });

describe('the gate of a rollout', () => {
  it('passes with healthy workloads, and an empty cluster', () => {
    expect(judge([])).toEqual({ verdict: 'pass', failed: [] });
    expect(judge([moved('a'), ...peers(3)]).verdict).toBe('pass');
  });

  it('fails from one failure more than permitted, unless workloads that were not released fail likewise', () => {
    expect(judge([failing('a'), moved('b'), ...peers(5)])).toMatchObject({
      ...{
        verdict: 'fail',
        reason: 'WorkloadsFail',
        failed: [{ uid: 'a' }],
        message: expect.stringContaining('exit code 1'),
      },
    });
    expect(judge([failing('a'), moved('b'), ...peers(5)], 1).verdict).toBe('pass');
    expect(judge([failing('a'), failing('b')], 1).verdict).toBe('fail');
    expect(judge([failing('a'), moved('b'), ...peers(4, 1)])).toMatchObject({
      verdict: 'pause',
      reason: 'UnrelatedFailures',
    });
    expect(judge([failing('a'), moved('b'), ...peers(5, 1)]).verdict).toBe('fail');
  });

  it('pauses while many workloads that were not released are unready, but not for those that wait as the last', () => {
    expect(judge([moved('a'), ...peers(10, 2)])).toMatchObject({ verdict: 'pause', reason: 'ClusterUnhealthy' });
    expect(judge([moved('a'), ...peers(10, 1)]).verdict).toBe('pass');
    const settled = Array.from({ length: 100 }, (_, index) => moved(`moved-${index}`));
    expect(judge([...settled, ...peers(3, 3)]).verdict).toBe('pass');
  });

  it('does not pause for one project, whatever its number of workloads', () => {
    const others = Array.from({ length: 170 }, (_, index) => waiting(`other-${index}`, { project: `p${index % 17}` }));
    const own = Array.from({ length: 20 }, (_, index) => waiting(`own-${index}`, { project: 'own', isReady: false }));
    expect(judge([...others, ...own]).verdict).toBe('pass');
    const [first, ...rest] = others.map((one) => ({ ...one, isReady: false }));
    expect(judge([...others.slice(1), ...(first ? [first] : []), ...own]).verdict).toBe('pass');
    expect(judge([...others.slice(20), ...rest.slice(0, 20), ...own])).toMatchObject({ reason: 'ClusterUnhealthy' });
  });

  it('pauses while a released workload is not ready for too long', () => {
    const one = [moved('a', { isSettled: false })];
    expect(judge(one, 0, '2026-03-01T11:30:00Z').verdict).toBe('pass');
    expect(judge(one, 0, '2026-03-01T11:29:59Z')).toMatchObject({ verdict: 'pause', reason: 'Stalled' });
  });
});
