import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Repository paths in the code spans of a text, except those with placeholders. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:lib|stacks|test|scripts|docs|crds|examples|bench)\/[^`\s<]*)`/g)].map(
    ([, path = '']) => path,
  );

test('every path that the architecture names exists', () => {
  const paths = pathsIn(page);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('finds a path that does not exist', () => {
  expect(
    pathsIn('see `lib/api/missing.ts` and `lib/<module>`').filter((path) => !existsSync(join(root, path))),
  ).toEqual(['lib/api/missing.ts']);
});
