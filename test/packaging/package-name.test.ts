import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
/** The changelog names the former package; this file plants faults. */
const files = paths
  .split('\0')
  .filter((path) => /\.(md|[cm]?[jt]s|json|ya?ml)$|(^|\/)Jenkinsfile$/.test(path))
  .filter((path) => path !== 'CHANGELOG.md' && path !== 'test/packaging/package-name.test.ts');

/** Each matches text that installs, runs or imports a package called `pinion`, which anyone can publish. */
const rules: Readonly<Record<string, RegExp>> = {
  'npx may download it': /\bnpx (?!--no-install )(?:-\S+ (?:[\w/]+ )?)*pinion\b/,
  'it is installed by name': /\b(?:npm (?:i|install|add|exec)|yarn add|pnpm add)\b[^\n`]* pinion(?![\w./:-])/,
  'it is imported': /(?:\bfrom|\bimport|\bimport\(|\brequire\() ?(['"])pinion(?:\/\w+)?\1/,
  'it is a dependency': /"pinion": *"(?:[~^<>=*\d]|latest|file:|npm:)/,
};
const faultsOf = (text: string): string[] => Object.keys(rules).filter((name) => rules[name]?.test(text));

test('no file installs, runs or imports a package without the scope', () => {
  expect(files.length).toBeGreaterThan(1000);
  const offences = files.flatMap((path) =>
    faultsOf(readFileSync(join(root, path), 'utf8')).map((fault) => `${path}: ${fault}`),
  );
  expect(offences).toEqual([]);
});

test.each([
  ['npx pinion crds', 'npx may download it'],
  ['npx --yes pinion crds', 'npx may download it'],
  // npx takes the word after --no as its value, and the options of the command as its own.
  ['npx --no pinion install --image app:1', 'npx may download it'],
  ['npx --prefix ci pinion publish', 'npx may download it'],
  ['npm i cdk8s pinion constructs', 'it is installed by name'],
  ['npm install --prefix ci pinion', 'it is installed by name'],
  ["import { App } from 'pinion';", 'it is imported'],
  ['import("pinion/testing")', 'it is imported'],
  ['"pinion": "^0.2.0"', 'it is a dependency'],
])('finds %j', (text, fault) => expect(faultsOf(text)).toEqual([fault]));

test.each([
  'npx --no-install pinion crds',
  'npx --no-install --prefix ci pinion publish',
  'npm i ./pinion-platform-pinion-0.2.0.tgz cdk8s',
  "from '@pinion-platform/pinion/api'",
])('accepts %j', (text) => expect(faultsOf(text)).toEqual([]));
