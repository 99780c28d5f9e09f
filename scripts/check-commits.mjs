// Checks that commit subjects are Conventional Commits, starting after the commit that added this file. In a
// shallow clone it checks the available commits; outside of Git it checks nothing and reports that.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..'));
const types = ['feat', 'fix', 'docs', 'refactor', 'perf', 'test', 'build', 'ci', 'chore', 'style', 'revert'];
const subject = new RegExp(String.raw`^(${types.join('|')})(\([a-z0-9-]+\))?!?: [a-z].{3,60}[^.]$`);
const remedy = `write "type(scope): imperative subject": lower case, at most 62 characters after the colon, no final period;
types: ${types.join(', ')}`;

/** Returns the output lines of Git; undefined if it fails or is not installed. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.split('\n').filter(Boolean) : undefined;
}

/** Lists the commits after the one that added this file. A shallow clone begins with a commit that adds everything. */
function newCommits() {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/check-commits.mjs') ?? [];
  const first = added.at(-1);
  return first ? (git('log', '--no-merges', '--format=%h %s', `${first}..HEAD`) ?? []) : [];
}

if (git('rev-parse', '--show-toplevel')?.[0] !== root) {
  console.error('commit subjects not checked: this folder is not a Git checkout');
} else {
  const invalid = newCommits().filter((line) => !subject.test(line.slice(line.indexOf(' ') + 1)));
  for (const line of invalid) console.error(`commit ${line}`);
  if (invalid.length > 0) {
    console.error(`${invalid.length} commit subjects are not Conventional Commits: ${remedy}`);
    process.exitCode = 1;
  }
}
