import { tagKeys } from '../../lib/api';
import {
  duplicateNames,
  fileCycles,
  forbiddenImports,
  kindNameOffences,
  moduleCycles,
  processOffences,
  unusedKindUsers,
} from './dependency-rules';
import { layers, modules } from './modules';
import { moduleOf, relativeImports, sourceFile, sourcesBelow, withoutComments } from './source-files';

const files = [...sourcesBelow('lib'), ...sourcesBelow('stacks')];

/** The sources with additional planted files. */
const withPlanted = (...planted: readonly (readonly [path: string, text: string])[]) => [
  ...files,
  ...planted.map(([path, text]) => sourceFile(path, text)),
];

test('every module has dependency rules', () => {
  const present = new Set(files.map(({ path }) => moduleOf(path)).filter((name) => name !== 'root'));
  expect(Object.keys(modules).sort()).toEqual([...present].sort());
});

test('rules allow no cycle: a module imports from its own layer and inner ones', () => {
  const order = layers.map((layer) => Object.keys(layer.modules));
  const layerOf = (name: string) => order.findIndex((names) => names.includes(name));
  const outward = Object.entries(modules).flatMap(([name, rules]) =>
    rules.modules.filter((target) => layerOf(target) > layerOf(name)).map((target) => `${name} imports ${target}`),
  );
  expect(outward).toEqual([]);
});

test('every module that the rules allow is imported', () => {
  const imported = new Set(
    files.flatMap((file) =>
      relativeImports(file, files).map((target) => `${moduleOf(file.path)} imports ${moduleOf(target)}`),
    ),
  );
  const allowed = Object.entries(modules).flatMap(([name, rules]) =>
    rules.modules.map((target) => `${name} imports ${target}`),
  );
  expect(allowed.filter((line) => !imported.has(line))).toEqual([]);
});

test('a module imports only what its rules allow, and other modules only by their entry file', () => {
  expect(forbiddenImports(files)).toEqual([]);
});

test('finds imports that the rules do not allow', () => {
  const planted = withPlanted(
    ['lib/api/planted.ts', `import { expand } from '../expand';`],
    ['lib/controller/planted.ts', `import { App } from 'cdk8s';\nimport { workloadPod } from '../expand/pods/pod';`],
  );
  expect(forbiddenImports(planted)).toEqual([
    'lib/api/planted.ts imports lib/expand/index.ts',
    'lib/controller/planted.ts imports cdk8s',
    'lib/controller/planted.ts imports lib/expand/pods/pod.ts',
  ]);
});

test('no files import each other in a cycle', () => {
  expect(fileCycles(files)).toEqual([]);
});

test('no modules import each other in a cycle', () => {
  expect(moduleCycles(files)).toEqual([]);
});

test('finds cycles of files and of modules', () => {
  const planted = withPlanted(
    ['lib/api/planted-a.ts', `import { b } from './planted-b';`],
    ['lib/api/planted-b.ts', `import { a } from './planted-a';`],
    ['lib/operations/planted.ts', `import type * as Cloud from '../cloud';`],
  );
  expect(fileCycles(planted)).toEqual(['lib/api/planted-a.ts → lib/api/planted-b.ts → lib/api/planted-a.ts']);
  expect(moduleCycles(planted)).toEqual([expect.stringMatching(/^(cloud|operations) → (cloud|operations) → /)]);
});

test('only process entry points use the process, the console or the clock', () => {
  expect(processOffences(files)).toEqual([]);
  expect(processOffences(withPlanted(['lib/api/planted.ts', 'const now = Date.now();']))).toEqual([
    'lib/api/planted.ts',
  ]);
});

test('an exported name is defined once', () => {
  expect([...duplicateNames(files)]).toEqual([]);
});

test('finds a name that two files define, but not a name that is exported again', () => {
  const planted = withPlanted(
    ['lib/api/planted.ts', 'export const plantedName = 1;'],
    ['lib/yaml/planted.ts', `export interface plantedName {}\nexport { parseYaml } from './parse';`],
  );
  expect(duplicateNames(planted).get('plantedName')).toEqual(['lib/api/planted.ts', 'lib/yaml/planted.ts']);
  expect(duplicateNames(planted).has('parseYaml')).toBe(false);
});

test('only kinds/ names a workload kind', () => {
  expect(kindNameOffences(files)).toEqual([]);
  expect(unusedKindUsers(files)).toEqual([]);
});

test('finds a kind that shared code names, even in a type', () => {
  const planted = withPlanted(
    ['lib/expand/planted.ts', `if (workload.kind === 'PinterestDaemon') perNode();`],
    ['lib/controller/planted.ts', `import { type PinterestJobSetSpec } from '../api';`],
    ['lib/expand/kinds/planted.ts', `const kind = 'PinterestDaemon';`],
  );
  expect(kindNameOffences(planted)).toEqual(
    expect.arrayContaining([
      'lib/expand/planted.ts names PinterestDaemon',
      'lib/controller/planted.ts names PinterestJobSetSpec',
    ]),
  );
  expect(kindNameOffences(planted).filter((line) => line.includes('/kinds/'))).toEqual([]);
});

test('the API group is written in one file, and plurals of kinds next to their definitions', () => {
  const offences = files.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    const group = path !== 'lib/api/names.ts' && /['"`/.]pinterest\.com/.test(code);
    const plural = !path.startsWith('lib/api/kinds/') && /['"`]pinterest[a-z]+s['"`/]/.test(code);
    return group || plural ? [path] : [];
  });
  expect(offences).toEqual([]);
});

test('tag keys that stacks and programs share are written in one file', () => {
  const written = new RegExp(`["'/](${Object.values(tagKeys).join('|')})["']`);
  const offences = files
    .filter(({ path, text }) => path !== 'lib/api/machine-tags.ts' && written.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(offences).toEqual([]);
});

test('every file name has a meaning, and there are no wildcard exports', () => {
  const forbiddenNames = /(^|[/-])(utils?|helpers?|common|types|constants)\.ts$/;
  expect(files.filter(({ path }) => forbiddenNames.test(path)).map(({ path }) => path)).toEqual([]);
  expect(files.filter(({ text }) => /export \* /.test(text)).map(({ path }) => path)).toEqual([]);
});

test('examples import only public names', () => {
  const allowed = [
    '@pinion-platform/pinion',
    '@pinion-platform/pinion/client',
    '@pinion-platform/pinion/controller-runtime',
    '@pinion-platform/pinion/testing',
    'node:util',
    'cdk8s',
    'constructs',
    'cdk8s-plus-27',
  ];
  const offences = sourcesBelow('examples').flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => !allowed.includes(specifier) && !/^\.{1,2}\/[^.]/.test(specifier))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(offences).toEqual([]);
});
