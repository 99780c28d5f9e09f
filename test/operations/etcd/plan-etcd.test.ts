import fc from 'fast-check';
import {
  compactionTarget,
  etcdGate,
  type EtcdAlarm,
  type EtcdMember,
  type EtcdObserved,
  planEtcd,
  defaultEtcdPolicy,
} from '../../../lib/operations';

const mebibyte = 1024 * 1024;
const policy = { ...defaultEtcdPolicy, quota: 100 * mebibyte };
const noProgress = { revision: 50, defragmented: new Set<string>() };

const member = (name: string, overrides: Partial<EtcdMember> = {}): EtcdMember => ({
  id: `id-${name}`,
  name,
  url: `https://${name}:2379`,
  version: '3.6.0',
  size: 100 * mebibyte,
  inUse: 20 * mebibyte,
  quota: 100 * mebibyte,
  revision: 50,
  leader: 'id-a',
  committed: 70,
  applied: 70,
  learner: false,
  ...overrides,
});

const etcd = (overrides: Partial<EtcdObserved> = {}): EtcdObserved => ({
  members: [member('a'), member('b'), member('c')],
  alarms: [{ member: 'id-b', kind: 'NOSPACE' }],
  revision: 50,
  compacted: 10,
  ...overrides,
});

const stepTexts = ({ steps }: ReturnType<typeof planEtcd>): string[] =>
  steps.map((step) => `${step.do} ${step.member.slice(3)}`);

test('recovery compacts, defragments with the leader last, then disarms', () => {
  expect(stepTexts(planEtcd('recover', etcd(), policy, noProgress))).toEqual([
    'compact a',
    'defrag b',
    'defrag c',
    'defrag a',
    'disarm b',
  ]);
});

test('recognizes the steps of an earlier run by the members', () => {
  const small = { size: 21 * mebibyte };
  const halfway = etcd({ compacted: 50, members: [member('a'), member('b', small), member('c')] });
  expect(stepTexts(planEtcd('recover', halfway, policy, noProgress))).toEqual(['defrag c', 'defrag a', 'disarm b']);
  const small3 = ['a', 'b', 'c'].map((name) => member(name, small));
  const nearly = etcd({ compacted: 50, members: small3 });
  expect(stepTexts(planEtcd('recover', nearly, policy, noProgress))).toEqual(['disarm b']);
  expect(planEtcd('recover', { ...nearly, alarms: [] }, policy, noProgress)).toEqual({ steps: [] });
});

test('keeps an alarm of a full member, even if nothing is left to reclaim', () => {
  const full = ['a', 'b', 'c'].map((name) => member(name, { inUse: 99 * mebibyte }));
  const observed = etcd({ compacted: 50, members: full });
  expect(stepTexts(planEtcd('recover', observed, policy, noProgress))).toEqual([
    'defrag b',
    'defrag c',
    'defrag a',
    'disarm b',
  ]);
  const defragmented = new Set(full.map(({ id }) => id));
  const { steps, halt } = planEtcd('recover', observed, policy, { ...noProgress, defragmented });
  expect([steps, halt?.reason]).toEqual([
    [],
    'member a has 100 MiB of a quota of 100 MiB, and nothing left to reclaim',
  ]);
});

test('uses the given quota for a member that does not report one', () => {
  const old = ['a', 'b', 'c'].map((name) => {
    const { quota: _, ...withoutQuota } = member(name, { size: 21 * mebibyte });
    return withoutQuota;
  });
  const observed = etcd({ compacted: 50, members: old });
  expect(stepTexts(planEtcd('disarm', observed, { ...policy, quota: 21 * mebibyte }, noProgress))).toEqual([
    'disarm b',
  ]);
  expect(planEtcd('disarm', observed, { ...policy, quota: 21 * mebibyte }, noProgress).halt).toBeDefined();
  expect(planEtcd('disarm', observed, policy, noProgress).halt).toBeUndefined();
});

test('compacts to the next compaction of the API server, and never beyond the newest revision', () => {
  expect(compactionTarget('compact', etcd({ lastApiServerCompaction: 30 }), policy)).toBe(30);
  expect(compactionTarget('compact', etcd(), policy)).toBe(50);
  expect(compactionTarget('recover', etcd({ lastApiServerCompaction: 30 }), policy)).toBe(50);
  expect(compactionTarget('compact', etcd(), { ...policy, revision: 900 })).toBe(50);
});

test('plans no step while a member is unhealthy, behind, or follows another leader', () => {
  const gate = (overrides: Partial<EtcdMember>) =>
    etcdGate(etcd({ members: [member('a'), member('b', overrides), member('c')] }), policy)?.reason;
  expect(gate({})).toBeUndefined();
  expect(gate({ unhealthyReason: 'it does not respond' })).toBe('member b is unhealthy: it does not respond');
  expect(gate({ committed: 5000, applied: 1000 })).toMatch(/^member \w is \d+ entries behind its peers$/);
  expect(gate({ leader: 'id-c' })).toBe('the members do not agree on a leader');
  expect(gate({ leader: '' })).toBe('the members do not agree on a leader');
});

test('corruption stops every goal, except disarming if requested', () => {
  const corrupt: EtcdAlarm = { member: 'id-c', kind: 'CORRUPT' };
  for (const goal of ['compact', 'defrag', 'disarm', 'recover'] as const)
    expect(planEtcd(goal, etcd({ alarms: [corrupt] }), policy, noProgress)).toMatchObject({
      steps: [],
      halt: { reason: expect.stringContaining('member c has the alarm CORRUPT') },
    });
  const forced = { ...policy, corrupt: true };
  expect(stepTexts(planEtcd('disarm', etcd({ alarms: [corrupt] }), forced, noProgress))).toEqual(['disarm c']);
  expect(planEtcd('recover', etcd({ alarms: [corrupt] }), forced, noProgress).steps).toEqual([]);
});

test('repeating the first step of each plan always terminates, and defragments the leader last', () => {
  const sizes = fc.record({ size: fc.integer({ min: 2, max: 100 }), inUse: fc.integer({ min: 1, max: 60 }) });

  fc.assert(
    fc.property(fc.array(sizes, { minLength: 1, maxLength: 7 }), fc.nat(6), (all, leading) => {
      const leader = `id-m${leading % all.length}`;
      let now = etcd({
        members: all.map(({ size, inUse }, index) =>
          member(`m${index}`, {
            leader,
            size: Math.max(size, inUse) * mebibyte,
            inUse: inUse * mebibyte,
          }),
        ),
        alarms: all.map((_, index) => ({ member: `id-m${index}`, kind: 'NOSPACE' })),
      });
      const executed: string[] = [];
      const defragmented = new Set<string>();
      for (let count = 0; count < 50; count++) {
        const plan = planEtcd('recover', now, policy, { ...noProgress, defragmented });
        const [step] = plan.steps;
        if (!step || plan.halt) break;
        executed.push(`${step.do} ${step.member}`);
        if (step.do === 'compact') now = { ...now, compacted: step.revision };
        if (step.do === 'disarm') now = { ...now, alarms: now.alarms.filter((alarm) => alarm.member !== step.member) };
        if (step.do === 'defrag') defragmented.add(step.member);
        if (step.do === 'defrag')
          now = {
            ...now,
            members: now.members.map((one) => (one.id === step.member ? { ...one, size: one.inUse } : one)),
          };
      }
      expect(new Set(executed).size).toBe(executed.length);
      expect(executed[0]).toBe(`compact ${leader}`);
      const members = executed.filter((step) => step.startsWith('defrag'));
      if (members.includes(`defrag ${leader}`)) expect(members.at(-1)).toBe(`defrag ${leader}`);
      expect(now.alarms).toEqual([]);
    }),
  );
});
