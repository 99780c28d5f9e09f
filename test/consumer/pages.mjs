// Runs pages of the packed documentation as written: every file and every command of them, except those for a cluster.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stepsOf } from './page-steps.mjs';
import { expectThat, run } from './steps.mjs';

/** As on a machine of a reader: jest writes new snapshots. */
const variables = { CI: 'false' };
const withoutSpace = (text) => text.replace(/\s+/g, '');

/** Runs a page in a folder; returns the folder in which it ends. */
function runPage(page, folder, library) {
  const steps = stepsOf(page);
  let current = folder;
  let output = '';
  for (const step of steps) {
    if (step.emptyFolder) {
      current = `${folder}-again`;
      mkdirSync(current);
      cpSync(library, join(current, basename(library)));
    }
    if (step.file !== undefined) writeFileSync(join(current, step.file), step.text);
    for (const command of step.commands ?? []) output += run('sh', ['-c', command], { cwd: current, variables });
  }
  for (const { output: shown } of steps.filter((step) => step.output !== undefined))
    expectThat('the shown output is printed', withoutSpace(output).includes(withoutSpace(shown)), output);
  return current;
}

/** Runs docs/getting-started.md from an empty folder, and docs/testing.md in the project that it creates. */
export function testPages(work, library) {
  mkdirSync(work);
  cpSync(library, join(work, basename(library)));
  run('tar', ['xzf', library, 'package/docs'], { cwd: work });
  const pageOf = (name) => readFileSync(join(work, 'package', 'docs', name), 'utf8');
  const [gettingStarted, testing] = [pageOf('getting-started.md'), pageOf('testing.md')];
  const folder = join(work, 'empty');
  mkdirSync(folder);
  cpSync(library, join(folder, basename(library)));
  const project = runPage(gettingStarted, folder, library);
  const synthesized = readFileSync(join(project, 'dist', 'shop.k8s.yaml'), 'utf8');
  expectThat('the Platform of the page is used', synthesized.includes('cart.shop.apps.example.com'), synthesized);
  runPage(testing, project, library);
}
