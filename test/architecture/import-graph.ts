// Prints figures of the import graph: node scripts/run-typescript.mjs test/architecture/import-graph.ts [CHECKOUT]
import { resolve } from 'node:path';
import { duplicateNames, fileCycles, moduleCycles } from './dependency-rules';
import { moduleOf, relativeImports, sourcesBelow } from './source-files';

const [, , checkout] = process.argv;
const files = ['lib', 'stacks'].flatMap((folder) =>
  sourcesBelow(folder, checkout === undefined ? undefined : resolve(checkout)),
);
const imports = files.flatMap((file) => relativeImports(file, files).map((target) => [file.path, target] as const));
const crossing = imports.filter(([from, to]) => moduleOf(from) !== moduleOf(to));
const edges = new Set(crossing.map(([from, to]) => `${moduleOf(from)} ${moduleOf(to)}`));
const pastEntry = crossing.filter(([from, to]) => moduleOf(from) !== 'root' && to.split('/').length > 3);
const folders = new Map<string, number>();
for (const { path } of files) {
  const folder = path.slice(0, path.lastIndexOf('/'));
  folders.set(folder, (folders.get(folder) ?? 0) + 1);
}

const figures: Readonly<Record<string, number>> = {
  files: files.length,
  modules: new Set(files.map(({ path }) => moduleOf(path))).size,
  folders: folders.size,
  'files in the largest folder': Math.max(...folders.values()),
  imports: imports.length,
  'imports between modules': crossing.length,
  'pairs of modules that import': edges.size,
  'imports past an entry file': pastEntry.length,
  'cycles of files': fileCycles(files).length,
  'cycles of modules': moduleCycles(files).length,
  'exported names defined more than once': duplicateNames(files).size,
};
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(40)}${figure}`);
