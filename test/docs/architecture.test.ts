import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Repository paths in the code spans of a string, except those with placeholders. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:lib|stacks|test|scripts|docs|crds|examples|bench)\/[^`\s<]*)`/g)].map(
    ([, path = '']) => path,
  );

test.each([
  ['docs/architecture.md', 40],
  ['CONTRIBUTING.md', 7],
])('every path that %s names exists', (page, atLeast) => {
  const paths = pathsIn(readFileSync(join(root, page), 'utf8'));
  expect(paths.length).toBeGreaterThan(atLeast);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('finds a path that does not exist', () => {
  expect(
    pathsIn('see `lib/api/missing.ts` and `lib/<module>`').filter((path) => !existsSync(join(root, path))),
  ).toEqual(['lib/api/missing.ts']);
});
