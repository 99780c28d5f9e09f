import fc from 'fast-check';
import { nextRevisionRecord, recordedRevision, selectRevision, type RevisionInput } from '../../../lib/expand';

const revision = fc.constantFrom('rev-a', 'rev-b', 'rev-c');
const on = (...names: readonly string[]) => names.map((name) => ({ expansion: `inputs/templates/${name}` }));

test('a revision is known after a crash at any write, and a former one until the next', () => {
  fc.assert(
    fc.property(fc.array(revision, { minLength: 1 }), fc.boolean(), (moves, losesStatus) => {
      let record: ReturnType<typeof nextRevisionRecord> | undefined;
      for (const to of moves) {
        const before = record?.name;
        // The objects are applied, and the status is not written.
        expect(recordedRevision(losesStatus ? undefined : record, on(to, to))).toBe(to);
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
