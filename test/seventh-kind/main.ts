import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { definition, exportLines, type Registration, registrations } from './registrations';

/** Largest number of files that a new kind may add. */
const maxAddedFiles = 10;
const kind = 'PinterestWorker';
const root = resolve(__dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'pinion-seventh-kind-'));
const sources = ['crds', 'docs', 'lib', 'scripts', 'stacks', 'test', 'package.json', 'tsconfig.json'];

/** Copies the repository, so that the kind never reaches it. */
function copyRepository(): void {
  for (const name of sources) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(
    join(copy, 'tsconfig.kind.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['lib', 'stacks', 'test/seventh-kind/use-kind.ts'] }),
  );
}

function register({ file, imports }: Registration): void {
  const [name, from] = imports ?? [];
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const entry = /^( +)PinterestService: .*\n/m;
  if (!entry.test(text)) throw new Error(`${file} has no entry of PinterestService, beside which to register ${kind}`);
  const registered = text.replace(
    entry,
    (line, indent: string) => `${line}${indent}${kind}: ${name ?? 'undefined'},\n`,
  );
  writeFileSync(path, `${name === undefined ? '' : `import { ${name} } from '${from}';\n`}${registered}`);
}

function run(...command: readonly string[]): string {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** Returns the files in which the compiler finds errors. */
function filesWithErrors(): readonly string[] {
  const compiler = join('node_modules', 'typescript-native', 'bin', 'tsc');
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.kind.json', '--noEmit', '--pretty', 'false'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  return [...new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))].sort();
}

/** Prints a statement; one that is false fails the program. */
function check(what: string, isTrue: boolean, detail = ''): void {
  console.log(`${isTrue ? '✓' : '✕'} ${what}${isTrue || detail === '' ? '' : `: ${detail}`}`);
  if (!isTrue) process.exitCode = 1;
}

function main(): void {
  const files = join(root, 'test', 'seventh-kind', 'files');
  copyRepository();
  const added = readdirSync(join(files, 'lib'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  check(`adds ${added.length} files, at most ${maxAddedFiles}`, added.length <= maxAddedFiles);
  cpSync(files, copy, { recursive: true });
  register(definition);
  run(process.execPath, 'scripts/generate.mjs');
  for (const [file, line] of exportLines) appendFileSync(join(copy, file), `${line}\n`);
  const asked = filesWithErrors();
  const tables = registrations.map(({ file }) => file).sort();
  check('the compiler names every table that lacks the kind', asked.join() === tables.join(), asked.join(', '));
  registrations.forEach(register);
  const left = filesWithErrors();
  check('it compiles once the tables have it', left.length === 0, left.join(', '));
  if (left.length === 0) {
    run(process.execPath, 'scripts/run-typescript.mjs', 'test/seventh-kind/use-kind.ts');
    check('it expands, synthesizes and is reconciled', true);
  }
}

try {
  main();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
