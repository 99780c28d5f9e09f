import fc from 'fast-check';
import { formatPath } from '../../lib/api';
import { defaultLimits, safeParseSubmissionSettings } from '../../lib/programs';

const settings = {
  artifactStore: 's3://artifacts/store',
  clusters: [{ name: 'prod-1' }],
  identity: { issuers: [{ issuer: 'https://login.example.com', audience: 'pinion' }] },
};
const limited = (limits: unknown) => safeParseSubmissionSettings({ ...settings, limits });

test('missing limits have defaults, and explicit limits are kept', () => {
  expect(safeParseSubmissionSettings(settings).settings?.limits).toEqual(defaultLimits);
  const { settings: read, problems } = limited({ writeRate: { qps: 0.5, burst: 1 }, maxBodyBytes: 1_024 });
  expect(problems).toEqual([]);
  expect(read?.limits).toEqual({ ...defaultLimits, writeRate: { qps: 0.5, burst: 1 }, maxBodyBytes: 1_024 });
});

test.each<[string, unknown, readonly (string | number)[], object]>([
  [
    'a number of requests as a string',
    { maxInFlight: '256' },
    ['limits', 'maxInFlight'],
    { code: 'wrong-type', value: '256' },
  ],
  ['zero requests', { maxInFlight: 0 }, ['limits', 'maxInFlight'], { code: 'out-of-range', value: 0 }],
  ['a fractional number of streams', { maxStreams: 1.5 }, ['limits', 'maxStreams'], { value: 1.5 }],
  [
    'a negative duration',
    { responseTimeoutMs: -1 },
    ['limits', 'responseTimeoutMs'],
    { code: 'out-of-range', value: -1 },
  ],
  [
    'a duration that is not a number',
    { heartbeatIntervalMs: '15s' },
    ['limits', 'heartbeatIntervalMs'],
    { code: 'wrong-type', value: '15s' },
  ],
  [
    'a body of a gigabyte',
    { maxBodyBytes: 2 ** 30 },
    ['limits', 'maxBodyBytes'],
    { code: 'out-of-range', value: 2 ** 30 },
  ],
  ['a rate without a burst', { readRate: { qps: 5 } }, ['limits', 'readRate', 'burst'], { code: 'required' }],
  [
    'a rate of zero',
    { readRate: { qps: 0, burst: 1 } },
    ['limits', 'readRate', 'qps'],
    { code: 'out-of-range', value: 0 },
  ],
  ['a rate that is a number', { writeRate: 10 }, ['limits', 'writeRate'], { code: 'wrong-type', value: 10 }],
  ['an unknown limit', { underway: 5 }, ['limits', 'underway'], { code: 'unknown-field', value: 5 }],
  ['a list', [], ['limits'], { code: 'wrong-type' }],
])('%s is a problem with a path and a remedy', (_, limits, path, expected) => {
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
])(
  'with the artifact store %s, a verification store at %s, where publishers write, is an invalid combination',
  (artifactStore, verificationStore) => {
    expect(safeParseSubmissionSettings({ ...settings, artifactStore, verificationStore }).problems).toEqual([
      expect.objectContaining({ code: 'invalid-combination', path: ['verificationStore'], value: verificationStore }),
    ]);
  },
);

test.each(['s3://artifacts/store-witness', 's3://artifacts/witness', '/artifacts/store'])(
  'with s3://artifacts/store, a verification store at %s is accepted',
  (verificationStore) => {
    expect(safeParseSubmissionSettings({ ...settings, verificationStore }).problems).toEqual([]);
  },
);

test('reports all problems of limits together with other problems', () => {
  const { problems } = safeParseSubmissionSettings({
    ...settings,
    artifactStore: 'relative',
    limits: { maxStreams: 'many', underway: 1, readRate: { qps: -1, burst: 0 } },
  });
  expect(problems.map(({ path }) => formatPath(path)).sort()).toEqual([
    'artifactStore',
    'limits.maxStreams',
    'limits.readRate.burst',
    'limits.readRate.qps',
    'limits.underway',
  ]);
});

test('accepts or reports any limits, and never throws', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(defaultLimits), 'other'), fc.anything()), (limits) => {
      const { settings: read, problems } = limited(limits);
      expect(read === undefined).toBe(problems.length > 0);
      for (const { path } of problems) expect(path[0]).toBe('limits');
    }),
  );
});
