import fc from 'fast-check';
import { parseQuantity, type Quantity } from '../../lib/api';
import { isOpen, type BusinessHours } from '../../lib/quota/business-hours';
import { levels } from '../../lib/quota/level';
import { type Message } from '../../lib/quota/message';
import { evaluateProject, type AlertStates } from '../../lib/quota/evaluate-project';
import { firstDay, read, usageOf, weekdays } from './usage-year';

const day = 86_400_000;
const berlin: BusinessHours = {
  timeZone: 'Europe/Berlin',
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
  from: '09:00',
  to: '17:00',
};
const quantity = (value: number): Quantity => parseQuantity(value) as Quantity;

interface Simulation {
  readonly days: number;
  readonly pods: (day: number) => number;
  readonly quota: (day: number) => number;
  readonly hours?: BusinessHours;
  readonly every?: number;
  /** Whether sending succeeds. */
  readonly works?: (time: number) => boolean;
}

/**
 * Evaluates a project repeatedly through a year with the history known at each time; returns the notices that owners
 * got.
 */
function simulate({ days, pods, quota, hours = berlin, every = 1_800_000, works = () => true }: Simulation): Message[] {
  const history = read(usageOf('shop', days, (index) => ({ pods: pods(index) }))).get('shop') ?? [];
  const owner = { project: 'shop', team: 'commerce', onCall: '#shop', businessHours: hours };
  let alertStates: AlertStates = {};
  const notices: Message[] = [];
  for (let time = firstDay * day; time < (firstDay + days) * day; time += every) {
    const index = Math.floor(time / day) - firstDay;
    const known = history.slice(Math.max(0, index - 200), index + 1);
    const found = evaluateProject({ owner, quota: { pods: quantity(quota(index)) }, days: known, alertStates }, time);
    const wasSent = found.messages.length > 0 && works(time);
    if (wasSent) notices.push(...found.messages);
    alertStates = wasSent ? found.statesAfterNotices : found.states;
  }
  return notices;
}

const summary = (messages: readonly Message[]) => messages.map(({ at, state }) => `${at} ${state}`);

describe('a year whose usage grows by a pod every two days', () => {
  // Day 0 is Wednesday, 1 October 2025. 240 pods: 85 % are 204, 92 % are 221, 99 % are 238.
  const growing = (index: number): number => 100 + Math.floor(index / 2);
  const quota = (index: number): number => (index < 290 ? 240 : 400);

  test('notifies once per state, when business hours start on the first workday of it', () => {
    expect(summary(simulate({ days: 300, pods: growing, quota }))).toEqual([
      '2026-04-27T07:00:00.000Z filling', // day 208, a Monday, 9:00 in Berlin
      '2026-06-01T07:00:00.000Z nearly-full', // day 242 is a Sunday
      '2026-07-06T07:00:00.000Z full', // day 276 is a Saturday
      '2026-07-20T07:00:00.000Z recovered', // the quota was raised on day 290, a Saturday
    ]);
  });

  test('notifies the same states in the business hours of the owners in any time zone', () => {
    const timeZone = 'America/Los_Angeles';
    expect(summary(simulate({ days: 300, pods: growing, quota, hours: { ...berlin, timeZone } }))).toEqual([
      '2026-04-27T16:00:00.000Z filling',
      // Day 242 begins in UTC at 17:00 of the 30th in California, a Saturday.
      '2026-06-01T16:00:00.000Z nearly-full',
      '2026-07-06T16:00:00.000Z full',
      '2026-07-20T16:00:00.000Z recovered',
    ]);
  });

  test('sends missed notices when a broken receiver recovers, in business hours', () => {
    const broken = Date.parse('2026-04-27T00:00:00Z');
    const recovered = Date.parse('2026-04-27T18:00:00Z');
    const works = (time: number): boolean => time < broken || time >= recovered;
    expect(summary(simulate({ days: 215, pods: growing, quota, works }))).toEqual(['2026-04-28T07:00:00.000Z filling']);
  });

  test('includes the predicted exhaustion date in the first notice', () => {
    const [first] = simulate({ days: 215, pods: growing, quota });
    // Usage reaches 240 pods on day 280.
    expect(first).toMatchObject({ fullOn: '2026-07-08', used: '204', quota: '240', percent: 85, onCall: '#shop' });
    expect(first?.text).toMatch(/^The quota of pods in project shop is filling: 204 of 240 .* full on 2026-07-08 \(/);
  });
});

test('a quota of the peak plus 20 % causes no notice in a year of weekdays and weekends', () => {
  const pods = weekdays(200);
  expect(simulate({ days: 365, pods, quota: () => 240, every: 6 * 3_600_000 })).toEqual([]);
});

test('usage that drops on weekends only is notified once, not each Monday', () => {
  const pods = (index: number): number => ([3, 4].includes(index % 7) ? 20 : 90);
  expect(summary(simulate({ days: 60, pods, quota: () => 100 }))).toEqual(['2025-10-01T07:00:00.000Z filling']);
});

test('a day of a clock change shifts nothing', () => {
  // The last Sunday of October 2025 is day 25; usage jumps on it.
  const pods = (index: number): number => (index < 25 ? 10 : 100);
  const hours: BusinessHours = { ...berlin, days: ['Sun'], from: '02:30', to: '03:30' };
  expect(summary(simulate({ days: 30, pods, quota: () => 100, hours, every: 600_000 }))).toEqual([
    // 2:30 in summer time; it is 2:30 a second time an hour later.
    '2025-10-26T00:30:00.000Z full',
  ]);
});

test('whatever usage and quota do, each state is notified once between recoveries, and only in business hours', () => {
  const steps = fc.array(
    fc.record({ pods: fc.nat(120), quota: fc.integer({ min: 50, max: 150 }), days: fc.integer({ min: 1, max: 12 }) }),
    {
      minLength: 3,
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(steps, (parts) => {
      const plan = parts.flatMap((part) => Array.from({ length: part.days }, () => part));
      const notices = simulate({
        days: plan.length,
        pods: (index) => plan[index]?.pods ?? 0,
        quota: (index) => plan[index]?.quota ?? 1,
        every: 2 * 3_600_000,
      });
      let worst = 0;
      for (const { state, at } of notices) {
        expect(isOpen(berlin, Date.parse(at))).toBe(true);
        if (state === 'recovered') {
          expect(worst).toBeGreaterThan(0);
          worst = 0;
        } else {
          expect(levels.indexOf(state)).toBeGreaterThan(worst);
          worst = levels.indexOf(state);
        }
      }
      expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
    }),
    { numRuns: 60 },
  );
}, 60_000);
