import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const built = join(__dirname, '../../build/bin');
const ownCache = `program-${process.version}-${process.platform}-${process.arch}.cache`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-code-cache-'));
  for (const name of ['pinion.js', 'program.js', ownCache]) cpSync(join(built, name), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command with a script that runs before it. */
function run(preloaded: string): { status: number | null; stdout: string; stderr: string } {
  const preload = join(folder, 'preload.cjs');
  writeFileSync(preload, preloaded);
  const args = ['--require', preload, join(folder, 'pinion.js'), '--version'];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

/** Prints whether V8 took the cache that the command gave. */
const reportCache = `
const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    process.stderr.write('rejected: ' + this.cachedDataRejected);
  }
};
`;

test('the build writes the code cache of its own Node', () => {
  expect(readdirSync(built).filter((name) => name.endsWith('.cache'))).toContain(ownCache);
  expect(readdirSync(built)).not.toContain('program.cache');
});

test('the command takes the cache of its own Node', () => {
  expect(run(reportCache)).toMatchObject({ status: 0, stderr: 'rejected: false' });
});

test('the command takes no cache that another version of Node wrote', () => {
  // V8 would accept it where both have the same V8, although the code does not fit.
  const others = [ownCache.replace(process.version, 'v20.0.0'), 'program.cache'];
  for (const name of others) writeFileSync(join(folder, name), readFileSync(join(folder, ownCache)));
  rmSync(join(folder, ownCache));
  expect(run(reportCache)).toMatchObject({ status: 0, stderr: 'rejected: undefined' });
});
