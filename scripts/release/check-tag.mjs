// Checks that a tag can be released: node scripts/release/check-tag.mjs v0.2.0 [NOTES]. The package and its lock file must
// have the version of the tag, and CHANGELOG.md a dated section for it, which is written to the file NOTES.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (name) => readFileSync(join(root, name), 'utf8');

/** Returns the problems that block the release of a tag, and the notes of its version. */
export function checkTag(tag, { manifest, lock, changelog }) {
  const version = /^v(\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?)$/.exec(tag)?.[1];
  if (!version) return { problems: [`tag ${tag}: must be v followed by a version, such as v0.2.0`] };
  const problems = [];
  if (manifest.version !== version) problems.push(`package.json: version ${manifest.version} must be ${version}`);
  const locked = [lock.version, lock.packages[''].version];
  if (locked.some((one) => one !== version)) problems.push(`package-lock.json: version must be ${version}`);
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## [${version}]`)) ?? '';
  const [heading, ...lines] = section.split('\n');
  if (!/^## \[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    problems.push(`CHANGELOG.md: must have a section "## [${version}] - YYYY-MM-DD"`);
  const notes = lines.join('\n').trim();
  if (notes === '') problems.push(`CHANGELOG.md: the section of ${version} is empty`);
  return { problems, notes };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tag = '', output] = process.argv.slice(2);
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) => JSON.parse(read(name)));
  const { problems, notes } = checkTag(tag, { manifest, lock, changelog: read('CHANGELOG.md') });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (output) writeFileSync(output, `${notes}\n`);
}
