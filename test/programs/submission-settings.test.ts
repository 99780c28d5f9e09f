import fc from 'fast-check';
import { formatPath } from '../../lib/api';
import { defaultLimits, examineSubmissionSettings } from '../../lib/programs';

const settings = {
  store: 's3://artifacts/store',
  clusters: [{ name: 'prod-1' }],
  identity: { issuers: [{ issuer: 'https://login.example.com', audience: 'pinion' }] },
};
const limited = (limits: unknown) => examineSubmissionSettings({ ...settings, limits });

test('limits that are not said are the usual ones, those that are said are taken', () => {
  expect(examineSubmissionSettings(settings).settings?.limits).toEqual(defaultLimits);
  const { settings: read, problems } = limited({ writes: { qps: 0.5, burst: 1 }, bodyBytes: 1_024 });
  expect(problems).toEqual([]);
  expect(read?.limits).toEqual({ ...defaultLimits, writes: { qps: 0.5, burst: 1 }, bodyBytes: 1_024 });
});

test.each<[string, unknown, readonly (string | number)[], object]>([
  ['a number of requests as text', { underWay: '256' }, ['limits', 'underWay'], { code: 'wrong-type', value: '256' }],
  ['no request at all', { underWay: 0 }, ['limits', 'underWay'], { code: 'out-of-range', value: 0 }],
  ['half a stream', { streams: 1.5 }, ['limits', 'streams'], { value: 1.5 }],
  [
    'a time before the beginning',
    { answerWithin: -1 },
    ['limits', 'answerWithin'],
    { code: 'out-of-range', value: -1 },
  ],
  ['a time that is no number', { heartbeat: '15s' }, ['limits', 'heartbeat'], { code: 'wrong-type', value: '15s' }],
  ['a body of a gigabyte', { bodyBytes: 2 ** 30 }, ['limits', 'bodyBytes'], { code: 'out-of-range', value: 2 ** 30 }],
  ['half a rate', { reads: { qps: 5 } }, ['limits', 'reads', 'burst'], { code: 'required' }],
  [
    'a rate of nothing',
    { reads: { qps: 0, burst: 1 } },
    ['limits', 'reads', 'qps'],
    { code: 'out-of-range', value: 0 },
  ],
  ['a rate that is a number', { writes: 10 }, ['limits', 'writes'], { code: 'wrong-type', value: 10 }],
  ['a limit that there is not', { underway: 5 }, ['limits', 'underway'], { code: 'unknown-field', value: 5 }],
  ['a list', [], ['limits'], { code: 'wrong-type' }],
])('%s is a problem with its place and what to do', (_, limits, path, expected) => {
  const { settings: read, problems } = limited(limits);
  expect(read).toBeUndefined();
  expect(problems).toEqual([expect.objectContaining({ path, ...expected })]);
  expect(problems[0]?.reason).not.toBe('');
  expect(problems[0]?.remedy).not.toBe('');
});

test.each([
  ['s3://artifacts/store', 's3://artifacts/store'],
  ['s3://artifacts/store', 's3://artifacts/store/witness'],
  ['s3://artifacts/store/', 's3://artifacts//store/witness'],
  ['s3://artifacts', 's3://artifacts/witness'],
  ['/srv/store', '/srv//store/witness'],
  ['/srv/store', '/srv/./store'],
  ['/srv/other/../store', '/srv/store/witness'],
])('beside the store %s, a witness at %s, where publishers write, is a contradiction', (store, witness) => {
  expect(examineSubmissionSettings({ ...settings, store, witness }).problems).toEqual([
    expect.objectContaining({ code: 'contradiction', path: ['witness'], value: witness }),
  ]);
});

test.each(['s3://artifacts/store-witness', 's3://artifacts/witness', '/artifacts/store'])(
  'beside s3://artifacts/store, a witness at %s is accepted',
  (witness) => {
    expect(examineSubmissionSettings({ ...settings, witness }).problems).toEqual([]);
  },
);

test('all that is wrong with limits is said at once, beside what is wrong elsewhere', () => {
  const { problems } = examineSubmissionSettings({
    ...settings,
    store: 'relative',
    limits: { streams: 'many', underway: 1, reads: { qps: -1, burst: 0 } },
  });
  expect(problems.map(({ path }) => formatPath(path)).sort()).toEqual([
    'limits.reads.burst',
    'limits.reads.qps',
    'limits.streams',
    'limits.underway',
    'store',
  ]);
});

test('whatever stands in limits, it is taken or told and never thrown', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(defaultLimits), 'other'), fc.anything()), (limits) => {
      const { settings: read, problems } = limited(limits);
      expect(read === undefined).toBe(problems.length > 0);
      for (const { path } of problems) expect(path[0]).toBe('limits');
    }),
  );
});
