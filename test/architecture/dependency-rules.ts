import { kindUsers, modules, processEntries, processUsers } from './modules';
import { moduleOf, relativeImports, type SourceFile, withoutComments } from './source-files';

/** Lists imports that the rules of a file's module do not allow. */
export const forbiddenImports = (files: readonly SourceFile[]): readonly string[] =>
  files.flatMap((file) => {
    const name = moduleOf(file.path);
    const rules = modules[name];
    if (!rules) return [];
    const allowed = [...rules.modules, ...(processEntries[file.path] ?? [])];
    const packages = file.imports.filter(
      (specifier) => !specifier.startsWith('.') && !rules.packages.includes(specifier),
    );
    const targets = relativeImports(file, files).filter(
      (target) => moduleOf(target) !== name && !(allowed.includes(moduleOf(target)) && isEntryFile(target)),
    );
    return [...packages, ...targets].map((target) => `${file.path} imports ${target}`);
  });

const isEntryFile = (path: string): boolean => path.split('/').length === 3 && path.endsWith('/index.ts');

/** Lists cycles of imports between files. */
export const fileCycles = (files: readonly SourceFile[]): readonly string[] =>
  cyclesOf(new Map(files.map((file) => [file.path, relativeImports(file, files)])));

/** Lists cycles of imports between modules; process entry points compose modules and are imported by none. */
export function moduleCycles(files: readonly SourceFile[]): readonly string[] {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const from = moduleOf(file.path);
    if (from === 'root' || file.path in processEntries) continue;
    const targets = graph.get(from) ?? new Set();
    for (const target of relativeImports(file, files).map(moduleOf)) if (target !== from) targets.add(target);
    graph.set(from, targets);
  }
  return cyclesOf(graph);
}

function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

const processUse =
  /\b(process\.(env|argv|exit|cwd|std\w+)|console\.\w+|Date\.now\(|new Date\(\)|performance\.now|Math\.random)/;

/** Lists files that use the process, the console or the clock and are not process entry points. */
export const processOffences = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => !(path in processEntries) && !processUsers.includes(path))
    .filter(({ text }) => processUse.test(withoutComments(text)))
    .map(({ path }) => path);

const kindName = /\bPinterest(Service|JobSet|CronJob|Daemon|TrainingJob|StatefulSet)\w*/g;
/** Texts that contain a space, such as a remedy that recommends a kind. */
const prose = /(['"`])(?=[^'"`\n]* )[^'"`\n]*\1|`[^`]* [^`]*`/g;

/** Lists uses of a workload kind's name outside of `kinds/`: shared code uses a trait, or the map of its module's `kinds/`. */
export const kindNameOffences = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => !/\/kinds\/|\/index\.ts$|\.generated\.ts$/.test(path))
    .filter(({ path }) => !Object.keys(kindUsers).some((user) => path.startsWith(user)))
    .flatMap(({ path, text }) =>
      [...new Set(withoutComments(text).replace(prose, '').match(kindName))].map((name) => `${path} names ${name}`),
    );

/** Lists entries of `kindUsers` that no file needs. */
export const unusedKindUsers = (files: readonly SourceFile[]): readonly string[] =>
  Object.keys(kindUsers).filter(
    (user) => !files.some(({ path, text }) => path.startsWith(user) && withoutComments(text).match(kindName)),
  );

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Exported names that several files define, each with those files; generated files repeat names of Kubernetes. */
export function duplicateNames(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const definitions = new Map<string, Set<string>>();
  for (const { path, text } of files.filter((file) => !file.path.endsWith('.generated.ts')))
    for (const [, name = ''] of withoutComments(text).matchAll(declaration))
      definitions.set(name, (definitions.get(name) ?? new Set()).add(path));
  return new Map([...definitions].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths]]));
}
