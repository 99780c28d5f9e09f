import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolloutPhases } from '../../lib/api';
import {
  causeReasons,
  conditionReasons,
  eventReasons,
  jobReasons,
  runReasons,
  type CauseOwner,
} from '../../lib/controller/reasons';
import { rejectionReasons } from '../../lib/artifact';
import { verificationReasons } from '../../lib/controller/verification/verification';
import { crashResetAfter } from '../../lib/controller/report/container-diagnosis';
import { transientFor } from '../../lib/controller/report/creation-findings';
import { slowAfter, volumesAfter } from '../../lib/controller/report/pod-findings';

interface Row {
  readonly reason: string;
  readonly when: string;
  readonly next: string;
}

const page = readFileSync(join(__dirname, '../../docs/reasons.md'), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', rowsOf(section)]),
);

function rowsOf(section: string): readonly Row[] {
  const cells = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.flatMap(([, first = '', when = '', next = '']) => {
    const reason = /^`(\w+)`$/.exec(first)?.[1];
    return reason === undefined ? [] : [{ reason, when, next }];
  });
}

const reasonsIn = (title: string): readonly string[] => (sections.get(title) ?? []).map(({ reason }) => reason).sort();

describe('docs/reasons.md', () => {
  const titleOf = (owners: readonly CauseOwner[]): string => `Owner: ${owners.join(' or ')}`;
  const causes = Object.entries<readonly CauseOwner[]>(causeReasons);
  const titles = [...new Set(causes.map(([, owners]) => titleOf(owners)))];

  test('has a section for each owner or pair of owners of a reason', () => {
    expect([...sections.keys()].filter((title) => title.startsWith('Owner: ')).sort()).toEqual([...titles].sort());
  });

  test.each(titles)('%s: lists every such reason exactly once', (title) => {
    const expected = causes.filter(([, owners]) => titleOf(owners) === title).map(([reason]) => reason);
    expect(reasonsIn(title)).toEqual(expected.sort());
  });

  test.each<[string, readonly string[]]>([
    ['Runs that failed', [...new Set<string>([...runReasons, ...jobReasons])]],
    ['Conditions without a cause', conditionReasons],
    ['Events', eventReasons],
    ['Condition Verified', [...verificationReasons, ...rejectionReasons]],
  ])('%s: lists every such reason exactly once', (title, reasons) => {
    expect(reasonsIn(title)).toEqual([...reasons].sort());
  });

  test('explains when every reason is reported and what to do next', () => {
    const rows = [...sections.values()].flat();
    expect(rows.filter(({ when, next }) => when === '' || next === '')).toEqual([]);
  });

  test.each([
    ['QuotaExceeded', transientFor],
    ['QuotaNotReady', transientFor],
    ['APIServerError', transientFor],
    ['FailedCreate', transientFor],
    ['PVCNotFound', volumesAfter],
    ['VolumeNotBound', volumesAfter],
    ['NotReady', slowAfter],
    ['SidecarNotReady', slowAfter],
    ['NotScheduled', slowAfter],
    ['StartsSlowly', slowAfter],
  ])('states how long %s waits', (reason, time) => {
    const row = [...sections.values()].flat().find((one) => one.reason === reason);
    expect(`${row?.when} ${row?.next}`).toContain(time < 60_000 ? `${time / 1000} s` : `${time / 60_000} min`);
  });

  test('states how long a crash is reported', () => {
    expect(page.replace(/\s+/g, ' ')).toContain(`at most ${crashResetAfter / 60_000} min after its last end`);
  });
});

test('lists every reason of a rollout of the Platform exactly once', () => {
  const folder = join(__dirname, '../../lib/controller/rollout');
  const code = ['decide-rollout.ts', 'rollout-gate.ts', 'rollout-outcome.ts']
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const words = [...code.matchAll(/'([A-Z][A-Za-z]+)'/g)].flatMap(([, word]) => (word === undefined ? [] : [word]));
  const others: readonly string[] = [...rolloutPhases, 'Rollback', 'Platform', 'Project'];
  const reasons = words.filter((word) => !others.includes(word) || word === 'Completed');
  expect(reasonsIn('Rollouts of the Platform')).toEqual([...new Set(reasons)].sort());
});

test('every reason of the table can be reported by the controller', () => {
  const folder = join(__dirname, '../../lib/controller');
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== 'reasons.ts')
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
  const reasons = [...Object.keys(causeReasons), ...runReasons, ...conditionReasons, ...eventReasons];
  expect(reasons.filter((reason) => !code.includes(`'${reason}'`))).toEqual([]);
});
