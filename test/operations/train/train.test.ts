import { explainProblem } from '../../../lib/api';
import { safeParseTrain } from '../../../lib/operations';

const cluster = { context: 'east', manifests: ['change.yaml'] };

test('times and the canary have defaults', () => {
  expect(safeParseTrain({ clusters: [cluster] })).toEqual({
    train: { deadline: 3_600_000, tolerance: 600_000, clusters: [{ ...cluster, soak: 1_800_000, canary: 'Required' }] },
    problems: [],
  });
});

test('all problems are reported at once, with field, value and remedy', () => {
  const { train, problems } = safeParseTrain({
    deadline: 'soon',
    clusters: [cluster, { ...cluster, soak: '30' }],
  });
  expect(train).toBeUndefined();
  expect(problems.map(explainProblem)).toEqual([
    'error bad-format: deadline: "soon" is not a duration; use a duration such as "30m"',
    'error bad-format: clusters[1].soak: "30" is not a duration; use a duration such as "30m"',
    'error duplicate: clusters[1].context: "east" is listed twice; list each cluster once',
  ]);
  expect(safeParseTrain({ clusters: [{ context: 'east', manifest: [] }] }).problems.map(explainProblem)).toEqual([
    expect.stringContaining('clusters[0].manifests') as string,
    expect.stringContaining('clusters[0].manifest') as string,
  ]);
});
