import fc from 'fast-check';
import { type Cause, type DeployedWorkload, type DeploymentEvent } from '../../../lib/contract';
import {
  createDeploymentRecord,
  updateDeploymentRecord,
  type DeploymentRecord,
} from '../../../lib/submission/state/deployment-record';
import { isKeepable, maxRecordBytes, readRecord, recordTexts } from '../../../lib/submission/state/record-texts';
import { entry, later } from './ledger-fixture';

const bytesOf = (texts: Readonly<Record<string, string>>): number =>
  Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const storedAndRead = (record: DeploymentRecord): DeploymentRecord =>
  readRecord(recordTexts(record)) as DeploymentRecord;
const cause = (message: string): Cause => ({ owner: 'application', reason: 'CrashLoop', message });

/** Returns a record with this many events, with messages of this length. */
const withEvents = (count: number, length = 10): DeploymentRecord =>
  updateDeploymentRecord(
    createDeploymentRecord('shop', entry()),
    later(1),
    { phase: 'progressing' },
    Array.from({ length: count - 1 }, (_, index) => ({ message: `${index + 2} ${'m'.repeat(length)}` })),
  );
const workload = (name: string, fields: Partial<DeployedWorkload> = {}): DeployedWorkload => ({
  ...{ kind: 'PinterestService', name, change: 'changed', applied: true, ready: false },
  ...fields,
});
const withWorkloads = (record: DeploymentRecord, workloads: DeployedWorkload[]): DeploymentRecord => ({
  ...record,
  deployment: { ...record.deployment, targets: [{ name: 'main', phase: 'progressing', workloads }] },
});
/** Returns the fields that determine how a deployment continues. */
const decisiveFields = ({ deployment, before, request, progressingSince }: DeploymentRecord) => ({
  ...{ before, request, progressingSince, cause: deployment.cause?.reason, phase: deployment.phase },
  targets: deployment.targets.map(({ name, phase, workloads }) => ({
    ...{ name, phase },
    workloads: workloads
      .filter(({ change }) => change !== 'removed')
      .map((one) => [one.kind, one.name, one.change, one.applied, one.ready]),
  })),
});
const numbersOf = (events: readonly DeploymentEvent[]): number[] => events.map(({ number }) => number);

test('a short record is kept unchanged', () => {
  const record = withWorkloads(withEvents(400), [workload('web', { progress: '1/2 ready', cause: cause('no') })]);
  expect(storedAndRead(record)).toEqual(record);
});

test('with very many events the newest are kept, after one that reports the number of omitted ones', () => {
  const { events } = storedAndRead(withEvents(1_000));
  expect(numbersOf(events)).toEqual(Array.from({ length: 401 }, (_, index) => 600 + index));
  expect(events[0]?.message).toBe('omitted, because the record would be too long: events up to number 600');
  expect(events[1]?.message).toMatch(/^601 /);
});

test('a record that continues after that reports all omitted events in one place', () => {
  const before = storedAndRead(withEvents(1_000));
  const after = storedAndRead(
    updateDeploymentRecord(before, later(2), { phase: 'ready' }, [{ message: 'a' }, { message: 'b' }]),
  );
  expect(numbersOf(after.events)).toEqual(Array.from({ length: 401 }, (_, index) => 602 + index));
  expect(after.events.filter(({ message }) => message.startsWith('omitted'))).toHaveLength(1);
  expect(after.events[0]?.message).toMatch(/up to number 602$/);
});

test('as many long events as fit are kept, and truncated ones rather than fewer than twenty', () => {
  const { events } = storedAndRead(withEvents(300, 9_000));
  expect(events.length).toBeGreaterThan(90);
  expect(events.at(-1)?.number).toBe(300);
  expect(events[1]?.message).toHaveLength(9_004);
  const truncated = storedAndRead(withEvents(50, 100_000));
  expect(numbersOf(truncated.events)).toEqual(Array.from({ length: 50 }, (_, index) => 1 + index));
  expect(truncated.events[0]?.message).toMatch(/up to number 1; the progress of workloads; the ends of long messages$/);
  expect(truncated.events.slice(1).map(({ message }) => message.length)).toEqual(Array.from({ length: 49 }, () => 201));
});

test.each([
  ['their progress', 2_150, 300, 100, (one: DeployedWorkload) => one.progress === undefined && one.cause !== undefined],
  [
    'the ends of their causes',
    1_500,
    9,
    1_000,
    (one: DeployedWorkload) => one.cause?.message === `${'c'.repeat(200)}…`,
  ],
  ['their causes', 3_500, 9, 1_000, (one: DeployedWorkload) => one.cause === undefined],
])('workload details are omitted last, and the record reports it: %s', (_, count, progress, message, expected) => {
  const workloads = Array.from({ length: count }, (__, index) =>
    workload(`web-${index}`, { progress: 'p'.repeat(progress), cause: cause('c'.repeat(message)) }),
  );
  const record = withWorkloads(withEvents(30), workloads);
  const read = storedAndRead(record);
  expect(bytesOf(recordTexts(record))).toBeLessThanOrEqual(maxRecordBytes);
  expect(read.deployment.targets[0]?.workloads.every(expected)).toBe(true);
  expect(decisiveFields(read)).toEqual(decisiveFields(record));
  expect(read.events[0]?.message).toContain('the progress of workloads');
});

test('any record fits its size limit, with the latest events, all decisive fields and no gap', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.tuple(fc.constantFrom('x', 'ä', '😀', '\u0000', '"'), fc.nat(3_000)).map(([unit, times]) => unit.repeat(times)),
  );
  const cases = fc.record({
    events: fc.nat(500),
    message: text,
    workloads: fc.nat(600),
    removed: fc.nat(300),
    progress: text,
    causeMessage: text,
    isProgressing: fc.boolean(),
  });
  fc.assert(
    fc.property(cases, ({ events, message, workloads, removed, progress, causeMessage, isProgressing }) => {
      const all = Array.from({ length: workloads + removed }, (_, index) =>
        workload(`w${index}`, {
          ...(index >= workloads ? { change: 'removed' } : { progress, cause: cause(causeMessage) }),
          ready: index % 3 === 0,
        }),
      );
      const started = updateDeploymentRecord(
        createDeploymentRecord('shop', entry()),
        later(1),
        { cause: cause(causeMessage) },
        [...Array.from({ length: events }, () => ({ message, cause: cause(causeMessage) }))],
      );
      const record = {
        ...withWorkloads(started, all),
        ...(isProgressing && { progressingSince: later(2) }),
        before: { main: Object.fromEntries(all.map(({ kind, name }) => [`${kind}/${name}`, 'own' as const])) },
      };
      const texts = recordTexts(record);
      expect(bytesOf(texts)).toBeLessThanOrEqual(maxRecordBytes);
      const read = readRecord(texts) as DeploymentRecord;
      expect(decisiveFields(read)).toEqual(decisiveFields(record));
      const numbers = numbersOf(read.events);
      expect(numbers.at(-1)).toBe(record.events.at(-1)?.number);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
      expect(numbers.length).toBeGreaterThanOrEqual(Math.min(21, record.events.length));
      if (numbers[0] !== 1) expect(read.events[0]?.message).toMatch(/^omitted/);
      // A parsed record is kept unchanged.
      if (numbers.length <= 400) expect(storedAndRead(read)).toEqual(read);
    }),
    { numRuns: 20 },
  );
}, 120_000);

describe('a deployment', () => {
  const entryWith = (count: number) =>
    entry({
      asks: { main: Object.fromEntries(Array.from({ length: count }, (_, i) => [`PinterestService/web-${i}`, {}])) },
    });

  test('is accepted only if its record fits until its end, regardless of what happens to its workloads', () => {
    const max =
      Array.from({ length: 80 }, (_, index) => 100 * (index + 1)).findLast((n) => isKeepable('shop', entryWith(n))) ??
      0;
    expect(max).toBeGreaterThan(4_000);
    const workloads = Array.from({ length: max }, (_, index) =>
      workload(`web-${index}`, {
        change: 'unchanged',
        applied: false,
        progress: '0/2 ready',
        cause: cause('c'.repeat(2_000)),
      }),
    );
    const before = {
      main: Object.fromEntries(workloads.map(({ name }) => [`PinterestService/${name}`, 'foreign' as const])),
    };
    const largest = { ...withWorkloads(withEvents(100, 20_000), workloads), before };
    expect(bytesOf(recordTexts(largest))).toBeLessThanOrEqual(maxRecordBytes);
    expect(decisiveFields(storedAndRead(largest))).toEqual(decisiveFields(largest));
    expect(isKeepable('shop', entryWith(20_000))).toBe(false);
  });
});

test('corrupt or missing strings are not records', () => {
  const { record, events } = recordTexts(withEvents(3));
  expect(readRecord(undefined)).toBeUndefined();
  expect(readRecord({ record })).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(record.length - 1), fc.nat(events.length - 1), (a, b) => {
      expect(readRecord({ record: record.slice(0, a), events })).toBeUndefined();
      expect(readRecord({ record, events: events.slice(0, b) })).toBeUndefined();
    }),
  );
});
