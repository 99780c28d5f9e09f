import fc from 'fast-check';
import {
  acceptedRevisions,
  ignoredRevisions,
  nextRevisionRecord,
  recordedRevision,
  recordSources,
  selectRevision,
  type RevisionInput,
} from '../../../lib/expand';

const revision = fc.constantFrom('rev-a', 'rev-b', 'rev-c');
const on = (...names: readonly string[]) => names.map((name) => ({ expansion: `inputs/templates/${name}` }));

test('a revision is known after a crash at any write, and a former one until the next', () => {
  fc.assert(
    fc.property(fc.array(revision, { minLength: 1 }), fc.boolean(), (moves, losesStatus) => {
      let record: ReturnType<typeof nextRevisionRecord> | undefined;
      for (const to of moves) {
        const before = record?.name;
        // The objects are applied, and the status is not written.
        expect(recordedRevision(losesStatus ? undefined : record, on(to, to), new Set([to]))).toBe(to);
        record = nextRevisionRecord(record, to, on(to, to));
        expect(recordedRevision(record, on(to, to))).toBe(to);
        if (before !== undefined && before !== to) expect(record.former).toBe(before);
        // A workload without pods has no record on its objects.
        expect(recordedRevision(record, [])).toBe(to);
      }
    }),
  );
  expect(recordedRevision(undefined, [])).toBeUndefined();
});

describe('a record that the controller did not write', () => {
  const record = { name: 'rev-b', former: 'rev-a', applied: ['rev-b'] };
  const accepted = acceptedRevisions({ current: 'rev-d', completed: 'rev-b', released: 'rev-c' });

  it('decides nothing unless the controller may have moved the workload there', () => {
    for (const forged of ['rev-old', 'rev-unknown', '']) {
      expect(recordedRevision(record, on(forged, 'rev-b'), accepted)).toBe('rev-b');
      expect(recordedRevision(undefined, on(forged), accepted)).toBeUndefined();
      expect(recordedRevision(undefined, on(forged, 'rev-b'), accepted)).toBe('rev-b');
    }
    for (const moved of ['rev-a', 'rev-c', 'rev-d']) expect(recordedRevision(record, on(moved), accepted)).toBe(moved);
    expect(ignoredRevisions(record, on('rev-old', 'rev-b', 'rev-c'), accepted)).toEqual(['rev-old']);
    expect(ignoredRevisions(undefined, on('rev-old', 'rev-b'), accepted)).toEqual(['rev-old']);
    expect(ignoredRevisions({ ...record, applied: ['rev-old'] }, on('rev-old'), accepted)).toEqual([]);
  });

  it('makes no known one look new, however many there are', () => {
    const many = on(...Array.from({ length: 9 }, (_, index) => `rev-0${index}`), 'rev-d');
    const written = nextRevisionRecord(record, 'rev-b', many);
    expect(written.applied).toHaveLength(8);
    expect(recordedRevision(written, many, accepted)).toBe('rev-b');
  });

  it('counts only on objects that the status names', () => {
    const object = (name: string, revision: string) => ({ kind: 'Deployment', name, expansion: `a/b/${revision}` });
    const owned = [object('cart', 'rev-b'), object('extra', 'rev-d'), object('forged', 'rev-d')];
    const status = {
      platformRevision: record,
      children: { 'Deployment/cart': 'Ready', 'Deployment/forged': 'Unwanted' },
    };
    expect(recordSources(owned, { kind: 'PinterestService', status })).toEqual(owned.slice(0, 1));
    // The Jobs of a run are newer than its status.
    expect(recordSources(owned, { kind: 'PinterestJobSet', status })).toEqual(owned.slice(0, 2));
    const unrecorded = { children: status.children };
    expect(recordSources(owned, { kind: 'PinterestService', status: unrecorded })).toEqual(owned);
    expect(recordSources(owned, { kind: 'PinterestService' })).toEqual(owned);
  });
});

test('revisions of rollouts count since the last one that completed', () => {
  const rollout = (to: string, phase?: 'Completed' | 'Aborted' | 'Progressing', rollbackOf?: string) => ({
    spec: { revision: to, rollbackOf },
    status: phase && { phase },
  });
  const rollouts = [
    rollout('rev-1', 'Aborted'),
    rollout('rev-2', 'Completed'),
    rollout('rev-3', 'Aborted'),
    rollout('rev-1', 'Completed', 'rollout-1'),
    rollout('rev-4', 'Progressing'),
  ];
  expect([...acceptedRevisions({ current: 'rev-4', completed: 'rev-2', rollouts })]).toEqual([
    ...['rev-4', 'rev-2', 'rev-3'],
  ]);
});

const input: fc.Arbitrary<RevisionInput> = fc.record({
  recorded: fc.option(revision, { nil: undefined }),
  released: fc.option(revision, { nil: undefined }),
  isNew: fc.boolean(),
  isRunning: fc.boolean(),
  isRedeployed: fc.boolean(),
  isCanary: fc.boolean(),
  current: revision,
  completed: revision,
  ofProfile: fc.constantFrom(
    () => undefined,
    () => 'rev-old',
  ),
  isUnchangedAt: fc.constantFrom(
    () => true,
    () => false,
  ),
});

test('only a release, the canary, or a deployment after the rollout moves a workload', () => {
  fc.assert(
    fc.property(input, (drawn) => {
      const selected = selectRevision(drawn);
      const { recorded, released, current, completed, isRunning, isCanary, isNew, isRedeployed } = drawn;
      if (isCanary && !isRunning) return expect(selected).toBe(current);
      if (recorded === undefined)
        return expect(selected).toBe(released ?? (isNew ? undefined : drawn.ofProfile()) ?? completed);
      if (isRunning) return expect(selected).toBe(recorded);
      if (released !== undefined) return expect(selected).toBe(released);
      if (current !== completed) return expect(selected).toBe(recorded);
      expect(selected).toBe(isRedeployed || drawn.isUnchangedAt(completed) ? completed : recorded);
    }),
    { numRuns: 500 },
  );
});
