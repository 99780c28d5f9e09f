import fc from 'fast-check';
import { formatPath } from '../../lib/api';
import { safeParseUsage, joinUsage, usageInput } from '../../lib/quota';
import { date, read, usageOf } from './usage-year';

test('a history is sorted by day, whatever the order in the file', () => {
  const usage = read({
    usage: [
      {
        project: 'shop',
        days: [
          { day: '2026-01-02', peaks: { pods: 4, 'requests.cpu': '1500m' } },
          { day: '2026-01-01', peaks: { pods: '3' }, consumed: { memory: '2Gi' } },
        ],
      },
    ],
  });
  expect(usageInput(usage).usage[0]?.days).toEqual([
    { day: '2026-01-01', peaks: { pods: '3' }, consumed: { memory: '2Gi' } },
    { day: '2026-01-02', peaks: { pods: '4', 'requests.cpu': '1500m' } },
  ]);
});

test('all problems of a history are reported at once, with their paths', () => {
  const { usage, problems } = safeParseUsage({
    usage: [
      {
        project: 'shop',
        days: [
          { day: '2026-02-30', peaks: { 'limits.cpu': '1' } },
          { day: '2026-02-01', peaks: { pods: 'many', 'requests.cpu': '-1' } },
          { day: '2026-02-01', peaks: {} },
        ],
      },
      { project: 'shop', days: [] },
    ],
  });
  expect(usage).toBeUndefined();
  expect(problems.map(({ code, path }) => `${code} ${formatPath(path)}`).sort()).toEqual(
    [
      'bad-format usage[0].days[0].day',
      'bad-format usage[0].days[0].peaks["limits.cpu"]',
      'bad-format usage[0].days[1].peaks.pods',
      'bad-format usage[0].days[1].peaks["requests.cpu"]',
      'duplicate usage[0].days[2].day',
      'duplicate usage[1].project',
    ].sort(),
  );
});

test('any value can be validated, and only a valid history is parsed', () => {
  fc.assert(
    fc.property(fc.anything(), (input) => {
      const { usage, problems } = safeParseUsage(input);
      expect(usage === undefined).toBe(problems.length > 0);
    }),
  );
});

test('histories of one project merge by the larger peak of each day, in any order', () => {
  const peaks = fc.array(fc.option(fc.nat(900), { nil: undefined }), { maxLength: 20 });
  fc.assert(
    fc.property(peaks, peaks, (a, b) => {
      const [one, other] = [a, b].map((values) =>
        read(
          usageOf('shop', values.length, (day) => (values[day] === undefined ? undefined : { pods: values[day] ?? 0 })),
        ),
      );
      if (!one || !other) throw new Error('two histories were made');
      const joined = usageInput(joinUsage(one, other)).usage[0]?.days;
      expect(joined).toEqual(usageInput(joinUsage(other, one)).usage[0]?.days);
      for (const { day, peaks: found } of joined ?? []) {
        const at = Array.from({ length: 20 }, (_, index) => index).find((index) => date(index) === day) ?? -1;
        expect(found['pods']).toBe(String(Math.max(a[at] ?? -1, b[at] ?? -1)));
      }
    }),
  );
});
