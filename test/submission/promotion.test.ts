import fc from 'fast-check';
import { apiVersion, formatDuration, parseManifest, type PlatformManifest, type SpecInput } from '../../lib/api';
import { type ArtifactContent } from '../../lib/artifact';
import { phases } from '../../lib/contract/deployment-schemas';
import { type ApprovalRecord } from '../../lib/submission/project-promotion';
import { evaluatePromotion, type PromotionInput } from '../../lib/submission/promotion';
import { type StageRecord } from '../../lib/submission/stage-readiness';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const [ownDigest, other] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];

const personOf = (subject: string) => ({ subject, issuer: 'https://login.example.com' });
const deployer = personOf('mia');
const approvalBy = (subject: string, overrides: Partial<ApprovalRecord> = {}): ApprovalRecord => ({
  digest: ownDigest,
  stage: 'production',
  approvedBy: personOf(subject),
  ...overrides,
});

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
  const request = { digest: ownDigest, stage: 'production', deployer, approvals: [], projects: [], now };
  const input = { ...request, content: contentOf({ when, soak }) };
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
  expect(reasons(approved([approvalBy('ada', { digest: other })]))).toEqual(unfulfilled);
  expect(reasons(approved([approvalBy('ada', { stage: 'staging' })]))).toEqual(unfulfilled);
  expect(reasons(approved([approvalBy('ada')]))).toEqual(unfulfilled.slice(0, 1));
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

describe('a Project with a promotion rule', () => {
  type Rule = NonNullable<NonNullable<SpecInput<'Project'>['stages']>[number]['promotion']>;
  const projectWith = (promotion: Rule): PlatformManifest<'Project'> =>
    parseManifest({
      apiVersion,
      kind: 'Project',
      metadata: { name: 'shop' },
      spec: {
        team: 'shop',
        members: [{ name: 'release', role: 'deploy' }],
        stages: [
          { name: 'staging' },
          { name: 'test' },
          { name: 'production', clusters: ['prod-1'], deployers: ['release'], promotion },
        ],
      },
    }) as PlatformManifest<'Project'>;
  const withRule = (promotion: Rule, options: Parameters<typeof evaluate>[0] = { records: [{}] }) =>
    evaluate({ ...options, projects: [projectWith(promotion), projectWith(promotion)] });

  test('requires the stage that it names, also if the workflow does not have it', () => {
    const found = withRule({ from: 'test' });
    expect(found.problems).toMatchObject([
      {
        code: 'precondition-failed',
        object: 'Project shop',
        path: ['spec', 'stages', 2, 'promotion', 'from'],
        reason: 'has not been deployed to test',
      },
    ]);
    expect(withRule({ from: 'staging' }).problems).toEqual([]);
  });

  test('does not count the time of a version that another one replaced, during which it may have failed', () => {
    const found = withRule({ from: 'staging' }, { records: [{ readySince: ago(90), readyUntil: ago(5) }] });
    expect(reasons(found)).toEqual(['was replaced in staging by another version']);
  });

  describe('requires the same workloads with the same images in that stage', () => {
    const cart = (image: string, replicas = 1, patches?: object) => ({
      apiVersion,
      kind: 'PinterestService',
      metadata: { name: 'cart', namespace: 'shop' },
      spec: { replicas, template: { spec: { containers: [{ name: 'app', image }] } }, ...patches },
    });
    const [tested, otherImage] = [`app@${ownDigest}`, `app@${other}`];
    const inPatch = {
      patches: [
        { target: { kind: 'Deployment' }, patch: { spec: { volumes: [{ image: { reference: otherImage } }] } } },
      ],
    };

    test.each<[string, readonly object[], readonly object[], readonly string[]]>([
      ['the same', [cart(tested)], [cart(tested)], []],
      ['more replicas', [cart(tested)], [cart(tested, 9)], []],
      ['fewer workloads', [cart(tested)], [], []],
      [
        'another workload',
        [],
        [cart(tested)],
        [`is not preceded by PinterestService/cart, image ${tested} of PinterestService/cart in staging`],
      ],
      [
        'another image',
        [cart(tested)],
        [cart(otherImage)],
        [`is not preceded by image ${otherImage} of PinterestService/cart in staging`],
      ],
      [
        'another image in a patch',
        [cart(tested)],
        [cart(tested, 1, inPatch)],
        [`is not preceded by image ${otherImage} of PinterestService/cart in staging`],
      ],
    ])('%s', (_, before, after, expected) => {
      const content = contentOf({ when: 'Ready', soak: '0s' });
      const stages = content.stages.map((one) => ({ ...one, resources: one.name === 'staging' ? before : after }));
      const found = withRule(
        { from: 'staging' },
        { records: [{}], content: { ...content, stages } as ArtifactContent },
      );
      expect(reasons(found)).toEqual(expected);
    });
  });

  test('requires its own time in that stage, and reports the later of two times', () => {
    const found = withRule({ from: 'staging', soak: '2h' }, { soak: '1h', records: [{}] });
    expect(reasons(found)).toEqual([
      'has been Ready in staging for 30m of 1h',
      'has been Ready in staging for 30m of 2h',
    ]);
    expect(found.allowedFrom).toBe('2026-11-21T13:30:00.000Z');
  });

  test.each<[string, Rule, readonly ApprovalRecord[], string | undefined]>([
    ['none', { approvals: 1 }, [], 'requires 1 approval of others than mia, of which 1 is missing'],
    [
      'the own one',
      { approvals: 1 },
      [approvalBy('mia')],
      'requires 1 approval of others than mia, of which 1 is missing',
    ],
    [
      'one of two',
      { approvals: 2 },
      [approvalBy('mia'), approvalBy('ada')],
      'requires 2 approvals of others than mia, of which 1 is missing',
    ],
    [
      'two of one person',
      { approvals: 2 },
      [approvalBy('ada'), approvalBy('ada')],
      'requires 2 approvals of others than mia, of which 1 is missing',
    ],
    ['two', { approvals: 2 }, [approvalBy('ben'), approvalBy('ada')], undefined],
    [
      'the own one by another issuer, in another spelling',
      { approvals: 1 },
      [approvalBy('mia', { approvedBy: { subject: 'Mia', issuer: 'https://other.example.com' } })],
      'requires 1 approval of others than mia, of which 1 is missing',
    ],
    [
      'one of a former approver with the role view',
      { approvals: 1 },
      [approvalBy('ada', { groups: ['leads'], role: 'view' })],
      'requires 1 approval of others than mia, of which 1 is missing',
    ],
    [
      'one for another content',
      { approvals: 1 },
      [approvalBy('ada', { digest: other })],
      'requires 1 approval of others than mia, of which 1 is missing',
    ],
    [
      'one without the group',
      { approvals: 1, approvers: ['leads'] },
      [approvalBy('ada')],
      'requires 1 approval of others than mia, of which 1 is missing',
    ],
    [
      'one with the group',
      { approvals: 1, approvers: ['leads'] },
      [approvalBy('ada', { groups: ['leads'] })],
      undefined,
    ],
  ])('counts approvals: %s', (_, rule, approvals, reason) => {
    const found = withRule(rule, { records: [{}], approvals });
    expect(reasons(found)).toEqual(reason === undefined ? [] : [reason]);
    expect(found.allowedFrom).toBeUndefined();
  });
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
