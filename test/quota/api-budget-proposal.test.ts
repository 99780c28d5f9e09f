import { numberOf } from '../../lib/api';
import {
  apiBudgetOf,
  apiBudgetUsage,
  forecastQuota,
  levelOf,
  proposeApiBudgets,
  type ProposalOptions,
} from '../../lib/quota';
import { budgetUse, daysOf, shareOf } from '../history/client-days';
import { platform, project } from './quota-manifests';

const today = 20_600;
const first = today - 89;

function proposed(rates: readonly number[], options: ProposalOptions = {}, apiBudget?: object) {
  const [found] = proposeApiBudgets(
    {
      projects: [project('shop', apiBudget && { apiBudget })],
      platform: platform({}),
      clients: new Map([['shop', daysOf(first, rates)]]),
    },
    options,
  );
  return Object.fromEntries((found?.values ?? []).map((value) => [value.resource, value]));
}

test('proposes the highest regular day with a fifth of headroom, without an outlier', () => {
  const rates = Array.from({ length: 90 }, (_, day) => (day === 40 ? 4000 : 300 + day));
  const { requestsPerSecond, 'serviceAccount.requestsPerSecond': account } = proposed(rates);
  // 389 x 1.2 is 466.8, rounded up to a multiple of 20.
  expect(requestsPerSecond).toMatchObject({ value: '480', basis: 'peak' });
  expect(requestsPerSecond?.reason).toMatch(
    /^peak 389 on \d{4}-\d\d-\d\d x 1\.2; without \d{4}-\d\d-\d\d, 1\d times the 95th percentile/,
  );
  expect(account).toMatchObject({ value: '480', basis: 'peak' });
});

test('is at least the default of the Platform before four weeks are known, and keeps a stated value unless it may be lowered', () => {
  expect(proposed(Array<number>(5).fill(3))['requestsPerSecond']).toMatchObject({ value: '200', basis: 'default' });
  const year = Array<number>(90).fill(30);
  const stated = { requestsPerSecond: 2000 };
  expect(proposed(year, {}, stated)['requestsPerSecond']).toMatchObject({ value: '2000', basis: 'kept' });
  expect(proposed(year, { lower: true }, stated)['requestsPerSecond']).toMatchObject({ value: '36', basis: 'peak' });
});

test('proposes bytes in units that a Project accepts, and the default while they are unknown', () => {
  const days = daysOf(first, Array<number>(90).fill(1)).map(({ day }) => ({
    day,
    shares: [shareOf('gateway/1', 5, { budgets: { '': budgetUse(1, { bytesPerSecond: 100 * 2 ** 20 }) } })],
  }));
  const [found] = proposeApiBudgets({
    projects: [project('shop')],
    platform: platform({}),
    clients: new Map([['shop', days]]),
  });
  const values = Object.fromEntries(
    (found?.values ?? []).map(({ resource, value, basis }) => [resource, [value, basis]]),
  );
  expect(values['bytesPerSecond']).toEqual(['120Mi', 'peak']);
  expect(values['serviceAccount.bytesPerSecond']).toEqual(['32Mi', 'default']);
});

test('forecasts when a project that grows reaches its budget', () => {
  const days = apiBudgetUsage(
    daysOf(
      first,
      Array.from({ length: 90 }, (_, day) => 100 + day),
    ),
  );
  const budget = apiBudgetOf(project('shop'), platform({}))['requestsPerSecond'];
  if (!budget) throw new Error('the Platform has a default');
  const outlook = forecastQuota(days, 'requestsPerSecond', budget, today);
  expect([numberOf(outlook.used), numberOf(budget)]).toEqual([189, 200]);
  expect(outlook.daysLeft).toBe(11);
  expect(levelOf(outlook)).toBe('nearly-full');
});
