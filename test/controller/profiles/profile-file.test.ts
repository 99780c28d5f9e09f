import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { profileFile, type ProfileContents } from '../../../lib/controller/profiles/profile-file';
import { readProfile } from '../../../lib/operations';

const cpu: ProfileContents['values'] = [
  ['samples', 'count'],
  ['cpu', 'nanoseconds'],
];
const place = (name: string) => ({ name: `lib/a.ts:${name}`, file: 'lib/a.ts', line: name.length });
const time = Date.UTC(2026, 10, 21, 14, 0, 0, 123);
const whole = (stacks: ProfileContents['stacks']): ProfileContents => ({
  values: cpu,
  stacks,
  period: 1_000_000,
  time,
  duration: 2500,
});

const names = fc.constantFrom('expand', 'größe', '(anonymous:3)', 'a b', '', 'x'.repeat(300));
const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const stacksOf = fc.array(
  fc.record({
    stack: fc.array(names.map(place), { minLength: 1, maxLength: 200 }),
    counts: fc.tuple(count, count),
  }),
  { maxLength: 20 },
);

test('any written profile can be parsed', async () => {
  await fc.assert(
    fc.asyncProperty(stacksOf, async (stacks) => {
      const read = readProfile(await profileFile(whole(stacks)));
      expect(read.samples).toEqual(
        stacks.map(({ stack, counts }) => ({ stack: stack.map(({ name }) => name), values: counts })),
      );
      expect([read.values, read.defaultType]).toEqual([
        [
          { type: 'samples', unit: 'count' },
          { type: 'cpu', unit: 'nanoseconds' },
        ],
        'cpu',
      ]);
      expect([Math.round(read.time / 1e6), read.duration]).toEqual([time, 2.5e9]);
    }),
  );
});

const go = spawnSync('go', ['version']);
const testWithGo = go.status === 0 ? test : test.skip;
testWithGo(
  `Go's own tool reads the same of it${go.status === 0 ? '' : ' (skipped: there is no "go" on PATH)'}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-profile-'));
    try {
      const file = join(folder, 'cpu.pb.gz');
      const stack = ['inner', 'größe', '(anonymous:3)', 'inner'].map(place);
      writeFileSync(file, await profileFile(whole([{ stack, counts: [3, 2 ** 45 + 1] }])));
      const { stdout, stderr } = spawnSync('go', ['tool', 'pprof', '-raw', file], { encoding: 'utf8' });
      expect(stdout).toContain('PeriodType: cpu nanoseconds\nPeriod: 1000000\nTime: 2026-11-21');
      expect(stdout).toContain('Duration: 2.5');
      expect(stdout).toMatch(/samples\/count cpu\/nanoseconds\[dflt\]\n +3 35184372088833: 1 2 3 1 \n/);
      expect(stdout).toMatch(/1: 0x0 M=1 lib\/a\.ts:inner lib\/a\.ts:5:0 s=5/);
      expect(stdout).toContain('lib/a.ts:größe');
      expect(stderr).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
