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

/** Runs the command with a preloaded script. */
function run(preloaded: string): { status: number | null; stdout: string; stderr: string } {
  const preload = join(folder, 'preload.cjs');
  writeFileSync(preload, preloaded);
  const args = ['--require', preload, join(folder, 'pinion.js'), '--version'];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

/** Prints whether V8 accepted the cache of the command. */
const reportCache = `
const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    process.stderr.write('rejected: ' + this.cachedDataRejected);
  }
};
`;

test('the build writes the code cache of its own Node version', () => {
  expect(readdirSync(built).filter((name) => name.endsWith('.cache'))).toContain(ownCache);
  expect(readdirSync(built)).not.toContain('program.cache');
});

test('the command loads the cache of its own Node version', () => {
  expect(run(reportCache)).toMatchObject({ status: 0, stderr: 'rejected: false' });
});

test('the command does not load a cache of another Node version', () => {
  // V8 would accept it if both have the same V8 version, although the code does not match.
  const others = [ownCache.replace(process.version, 'v20.0.0'), 'program.cache'];
  for (const name of others) writeFileSync(join(folder, name), readFileSync(join(folder, ownCache)));
  rmSync(join(folder, ownCache));
  expect(run(reportCache)).toMatchObject({ status: 0, stderr: 'rejected: undefined' });
});
