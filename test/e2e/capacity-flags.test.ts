import { spawnSync } from 'node:child_process';
import { flagsOf, planCapacity, controlPlanePrograms } from '../../lib/capacity';
import { withMutatingPolicies } from '../../stacks/plan/bootstrap/control-plane/mutating-policies';
import { findBinaries } from '../control-plane/binaries';

const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const plan = planCapacity({ region: 'us-east-1', zones, kubernetes: '1.36', nodes: 6000, pods: 60_000 });

/** Returns the flags in the help of a program, without the two dashes. */
function flagsIn(path: string): readonly string[] {
  const { stdout, stderr } = spawnSync(path, ['--help'], { encoding: 'utf8' });
  const text = stdout === '' ? stderr : stdout;
  return [...text.matchAll(/^\s+(?:-\w, )?--([a-z0-9][a-z0-9-]*)/gm)].map((match) => match[1] ?? '').sort();
}

const binaries = findBinaries([...controlPlanePrograms, 'etcd']);
const describeReal = 'skipped' in binaries ? describe.skip : describe;

describeReal(`flags of a capacity plan${'skipped' in binaries ? ` (skipped: ${binaries.skipped})` : ''}`, () => {
  const paths = 'paths' in binaries ? binaries.paths : undefined;

  test.each(controlPlanePrograms)('lists the flags that %s prints', (program) => {
    const printed = flagsIn(paths?.[program] ?? '');
    expect(printed.length).toBeGreaterThan(50);
    expect([...flagsOf(program, '1.36')].sort()).toEqual(printed);
  });

  test('uses only flags that etcd prints', () => {
    const printed = flagsIn(paths?.etcd ?? '');
    for (const name of ['etcd', 'etcd-events', 'etcd-leases'] as const) {
      expect(Object.keys(plan.flags[name]).length).toBeGreaterThan(0);
      expect(Object.keys(plan.flags[name]).filter((flag) => !printed.includes(flag))).toEqual([]);
    }
  });
});

/** Flags that the bootstrap adds for mutating admission policies. */
const mutating = Object.keys(withMutatingPolicies('1.35.6', {}));

describe.each(controlPlanePrograms)('flags of a capacity plan for Kubernetes 1.35', (program) => {
  const older = findBinaries([`${program}-1.35`]);
  const testIfBuilt = 'skipped' in older ? test.skip : test;

  testIfBuilt(
    `lists the flags that ${program} prints${'skipped' in older ? ` (skipped: ${older.skipped})` : ''}`,
    () => {
      const printed = flagsIn('paths' in older ? (older.paths[`${program}-1.35`] ?? '') : '');
      expect(printed.length).toBeGreaterThan(50);
      expect([...flagsOf(program, '1.35')].sort()).toEqual(printed);
      if (program === 'kube-apiserver') expect(printed).toEqual(expect.arrayContaining(mutating));
    },
  );
});
