import fc from 'fast-check';
import { formatDuration } from '../../lib/api';
import { type ArtifactContent } from '../../lib/artifact';
import { phases } from '../../lib/contract/deployment-schemas';
import { evaluatePromotion, type PromotionInput, type StageRecord } from '../../lib/submission/promotion';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const [ownDigest, other] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];

const contentOf = (promotion: ArtifactContent['stages'][number]['promotion']): ArtifactContent => ({
  format: 'pinion.artifact/1',
  project: 'shop',
  name: 'cart',
  version: '1.4.2',
  stages: ['staging', 'production'].map((name) => ({
    name,
    targets: ['one'],
    properties: {},
    promotion: name === 'staging' ? { when: 'Approved', soak: '9d' } : promotion,
    stop: { timeout: '15m', onFailure: 'Keep' },
    resources: [],
  })),
});

const evaluate = (
  options: Partial<Omit<PromotionInput, 'records'>> & {
    readonly records?: readonly Partial<StageRecord>[];
    readonly when?: 'Ready' | 'Approved';
    readonly soak?: string;
  },
) => {
  const { when = 'Ready', soak = '0s', records = [], ...rest } = options;
  const ready = { stage: 'staging', digest: ownDigest, phase: 'ready' as const, readySince: ago(30) };
  const known = records.map((record, sequence): StageRecord => ({ ...ready, sequence, ...record }));
  const input = { content: contentOf({ when, soak }), digest: ownDigest, stage: 'production', approvals: [], now };
  return evaluatePromotion({ ...input, records: known, ...rest });
};
const reasons = (found: ReturnType<typeof evaluate>) => found.problems.map(({ reason }) => reason);

test('the first stage accepts every version, regardless of its promotion rule', () =>
  expect(evaluate({ stage: 'staging' })).toEqual({ problems: [] }));

test('a version that is Ready in the previous stage is admitted', () =>
  expect(evaluate({ records: [{}] })).toEqual({ problems: [] }));

test.each<[string, Parameters<typeof evaluate>[0], string]>([
  ['was not deployed anywhere', {}, 'has not been deployed to staging'],
  ['is another one', { records: [{ digest: other }] }, 'has not been deployed to staging'],
  ['is only in the stage itself', { records: [{ stage: 'production' }] }, 'has not been deployed to staging'],
  [
    'is in progress',
    { records: [{ phase: 'progressing', readySince: undefined }] },
    'is not Ready in staging yet: the deployment is progressing',
  ],
  [
    'was stopped there',
    { records: [{ phase: 'failed', readySince: undefined }] },
    'did not become Ready in staging: the deployment ended as failed',
  ],
  ['has failed since', { records: [{ readySince: undefined }] }, 'is no longer Ready in staging'],
  ['is too recent', { soak: '1h', records: [{}] }, 'has been Ready in staging for 30m of 1h'],
  [
    'was replaced too early',
    { soak: '1h', records: [{ readySince: ago(90), readyUntil: ago(50) }] },
    'was Ready in staging for 40m of 1h, until another version replaced it',
  ],
])('a version that %s is not admitted, with the reason', (_, options, reason) => {
  const found = evaluate(options);
  expect(reasons(found)).toEqual([reason]);
  expect(found.problems[0]).toMatchObject({
    code: 'precondition-failed',
    object: 'Workflow shop/cart',
    value: 'production',
  });
});

test('a version that needs only more time is reported with its admission time', () => {
  const found = evaluate({ soak: '1h', records: [{}] });
  expect(found.allowedFrom).toBe('2026-11-21T12:30:00.000Z');
  expect(found.problems[0]?.remedy).toBe('deploy it at 2026-11-21T12:30:00.000Z or later');
});

test('an approval counts for one content and one stage, and all missing requirements are reported at once', () => {
  const missing = { when: 'Approved', soak: '1h', records: [{}] } as const;
  const approved = (approvals: PromotionInput['approvals']) => evaluate({ ...missing, approvals });
  const unfulfilled = ['has been Ready in staging for 30m of 1h', 'has not been approved for production'];
  expect(reasons(approved([]))).toEqual(unfulfilled);
  expect(approved([]).allowedFrom).toBeUndefined();
  expect(reasons(approved([{ digest: other, stage: 'production' }]))).toEqual(unfulfilled);
  expect(reasons(approved([{ digest: ownDigest, stage: 'staging' }]))).toEqual(unfulfilled);
  expect(reasons(approved([{ digest: ownDigest, stage: 'production' }]))).toEqual(unfulfilled.slice(0, 1));
});

test('a version that was Ready long enough stays admitted after it is deployed again', () =>
  expect(
    evaluate({
      soak: '1h',
      records: [
        { readySince: ago(300), readyUntil: ago(200) },
        { digest: other, readyUntil: ago(10) },
        { readySince: ago(5) },
      ],
    }).problems,
  ).toEqual([]));

test('a later deployment of it counts if it failed, and not if it changed nothing', () => {
  const reasonsAfter = (phase: 'failed' | 'cancelled') =>
    reasons(evaluate({ records: [{ readySince: ago(300) }, { phase, readySince: undefined }] }));
  expect(reasonsAfter('failed')).toEqual(['did not become Ready in staging: the deployment ended as failed']);
  expect(reasonsAfter('cancelled')).toEqual([]);
});

test('an unknown stage is reported with the nearest one', () =>
  expect(evaluate({ stage: 'prodction' }).problems).toMatchObject([
    { code: 'unknown-reference', remedy: 'did you mean "production"?' },
  ]));

test('a waiting version is admitted exactly at its reported time, and not before', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.constantFrom(...phases),
      (soak, readySeconds, phase) => {
        const options = {
          soak: formatDuration({ millis: soak * 1000 }),
          records: [{ phase, readySince: ago(readySeconds / 60) }],
        };
        const found = evaluate(options);
        if (phase !== 'ready') return expect(found.problems).toHaveLength(1);
        if (found.allowedFrom === undefined) return expect(readySeconds).toBeGreaterThanOrEqual(soak);
        const from = Date.parse(found.allowedFrom);
        expect(evaluate({ ...options, now: from }).problems).toEqual([]);
        expect(evaluate({ ...options, now: from - 1000 }).problems).toHaveLength(1);
      },
    ),
  ));
