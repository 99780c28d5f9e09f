import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '../..');
const packed = listPackedFiles();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Paths of the files that `npm pack` puts into the package, without running its scripts. */
function listPackedFiles(): readonly string[] {
  const done = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const [summary] = JSON.parse(done.stdout) as { files: { path: string }[] }[];
  return (summary?.files ?? []).map(({ path }) => path);
}

/** Relative imports of a compiled module or of its declarations, as files. */
function importsOf(file: string): readonly string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:require\(|from |import\()['"](\.[^'"]*)['"]/g)];
  return specifiers.flatMap(([, specifier = '']) => {
    const target = resolve(dirname(file), specifier);
    const found = [`${target}.js`, join(target, 'index.js'), target].find(
      (path) => path.endsWith('.js') && existsSync(path),
    );
    return found ? [found] : [];
  });
}

/** Packages that a compiled module or its declarations import. */
const packagesOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:require\(|from |import\()['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g)].map(
    ([, name = '']) => name,
  );

/** Compiled modules that the entry points of the package reach, through code or types. */
function reachableModules(): ReadonlySet<string> {
  const entryPoints = Object.values(manifest.exports as Record<string, string | { default: string }>);
  const queue = entryPoints.flatMap((entry) => (typeof entry === 'string' ? [] : [join(root, entry.default)]));
  const observed = new Set<string>();
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (observed.has(file)) continue;
    observed.add(file);
    const declarations = file.replace(/\.js$/, '.d.ts');
    queue.push(...importsOf(file), ...(existsSync(declarations) ? importsOf(declarations) : []));
  }
  return new Set([...observed].map((file) => relative(root, file)));
}

test.each(['LICENSE', 'NOTICE', 'THIRD_PARTY_NOTICES.txt', 'CHANGELOG.md', 'README.md', 'package.json'])(
  'the package contains %s',
  (path) => expect(packed).toContain(path),
);

test('the package contains every compiled module that its entry points reach, and no other', () => {
  const compiled = packed.filter((path) => path.startsWith('build/lib/') && path.endsWith('.js')).sort();
  expect(compiled).toEqual([...reachableModules()].sort());
});

test('each compiled module has its declarations', () => {
  // The bundler generates the CEL interpreter, which no declaration names.
  const modules = packed.filter((path) => /^build\/lib\/.*(?<!cel-interpreter)\.js$/.test(path));
  expect(modules.filter((path) => !packed.includes(path.replace(/\.js$/, '.d.ts')))).toEqual([]);
});

test('the package contains the command, and no program of an image', () => {
  const programs = packed.filter((path) => path.startsWith('build/bin/')).sort();
  expect(programs).toEqual(['build/bin/cloud.js', 'build/bin/pinion.js', 'build/bin/program.js']);
  expect(packed).toContain(manifest.bin.pinion);
});

test('the package contains every definition and every page of the docs', () => {
  const paths = ['crds', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  );
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !packed.includes(path))).toEqual([]);
});

test('the package contains no test, source, cache or map', () => {
  const allowed =
    /^(build\/(bin|lib)\/.*\.(js|d\.ts)|crds\/.*\.yaml|docs\/.*\.(md|json|svg|png)|[A-Z_]+(\.md|\.txt)?|package\.json)$/;
  expect(packed.filter((path) => !allowed.test(path))).toEqual([]);
  expect(packed.filter((path) => /(^|\/)(test|bench|examples|stacks|node_modules)\//.test(path))).toEqual([]);
});

test('the package depends on exactly what its modules import', () => {
  const files = [...reachableModules()].flatMap((path) => [path, path.replace(/\.js$/, '.d.ts')]);
  const imported = files.map((path) => join(root, path)).filter((path) => existsSync(path));
  const names = new Set(imported.flatMap(packagesOf).filter((name) => !name.startsWith('node:')));
  const peers = Object.keys(manifest.peerDependencies).filter((name) => names.has(name));
  expect([...names].sort()).toEqual([...Object.keys(manifest.dependencies), ...peers].sort());
});
