import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const rounds = 15;
const root = join(__dirname, '../..');
const program = join(root, 'build/bin/pinion.js');
const cache = join(root, `build/bin/program-${process.version}-${process.platform}-${process.arch}.cache`);
const input = join(root, 'test/golden/service-ten-lines/input.yaml');

const contenders: Readonly<Record<string, readonly string[]>> = {
  node: ['-e', '0'],
  render: [program, 'render', input, '--quiet'],
  check: [program, 'check', input, '--quiet'],
  unbundled: [join(root, 'build/lib/cli/main.js'), 'render', input, '--quiet'],
};

function milliseconds(argv: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv.join(' ')} exited with ${status}: ${stderr}`);
  return performance.now() - started;
}

/** Returns the median time of each contender, in alternating runs. */
function measure(names: readonly string[]): Record<string, number> {
  const times = Object.fromEntries(names.map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of names) times[name]?.push(milliseconds(contenders[name] ?? []));
  return Object.fromEntries(
    names.map((name) => [name, times[name]?.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN]),
  );
}

/** Measures without V8's cache, as after a change of the Node version. */
function measureWithoutCache(): Record<string, number> {
  if (!existsSync(cache)) return measure(['node', 'render']);
  renameSync(cache, `${cache}.aside`);
  try {
    return measure(['node', 'render']);
  } finally {
    renameSync(`${cache}.aside`, cache);
  }
}

function report(name: string, times: Record<string, number>, contender: string): void {
  const ratio = (times[contender] ?? Number.NaN) / (times['node'] ?? Number.NaN);
  console.log(`RATIO ${name} ${ratio.toFixed(2)} goal <=4 ${ratio <= 4 ? 'ok' : 'short'}`);
}

const times = measure(Object.keys(contenders));
const uncached = measureWithoutCache();
const summary = Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(0)} ms`);
console.log(
  `${summary.join(', ')}, render without cache ${(uncached['render'] ?? 0).toFixed(0)} ms; medians of ${rounds}`,
);
report('cold-render', times, 'render');
report('cold-check', times, 'check');
report('cold-render-without-cache', uncached, 'render');
