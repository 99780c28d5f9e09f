// Creates a project of each flavor, CI system and kind from an empty folder, and runs the commands of its pipeline.
// One project installs its packages by its own lock file; the others, which depend on the same, use them.
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectThat, run, runBeside } from './steps.mjs';

const kinds = ['service', 'job-set', 'cron-job', 'daemon', 'training-job', 'stateful-set'];
const combinations = ['constructs', 'yaml'].flatMap((flavor) => kinds.map((kind) => ({ flavor, kind })));

/** Contents of a project by path, without its pipeline, and with one name for all projects. */
function contentsOf(folder, name) {
  const paths = readdirSync(folder, { recursive: true }).filter(
    (path) => statSync(join(folder, path)).isFile() && !/^(\.git(hub|lab)|node_modules|vendor)/.test(path),
  );
  const read = (path) => readFileSync(join(folder, path), 'utf8').replaceAll(name, 'NAME');
  return Object.fromEntries(paths.sort().map((path) => [path, read(path)]));
}

/** Commands of a pipeline. */
function commandsOf(folder, ci) {
  const file = ci === 'github' ? '.github/workflows/workloads.yml' : '.gitlab-ci.yml';
  const line = ci === 'github' ? /^ {6}- run: (.*)$/gm : /^ {4}- (.*)$/gm;
  return [...readFileSync(join(folder, file), 'utf8').matchAll(line)].map(([, command]) => command);
}

const options = (flavor, kind, ci) => ['--flavor', flavor, '--kind', kind, '--ci', ci, '--yes'];

/** Creates the project of a combination for both CI systems; returns its folder and its commands. */
async function create(work, pinion, library, { flavor, kind }) {
  const [name, other] = [`${flavor}-${kind}`, `${flavor}-${kind}-gitlab`];
  const init = (folder, ci) =>
    runBeside(
      pinion,
      ['init', folder, '--project', name, '--pinion', library, '--skip-lockfile', ...options(flavor, kind, ci)],
      {
        cwd: work,
      },
    );
  await Promise.all([init(name, 'github'), init(other, 'gitlab')]);
  const [contents, otherContents] = [name, other].map((folder) => JSON.stringify(contentsOf(join(work, folder), name)));
  expectThat(`${name} is the same for both CI systems`, contents === otherContents, otherContents);
  const commands = commandsOf(join(work, name), 'github');
  expectThat(`${name} runs the same in both`, `${commands}` === `${commandsOf(join(work, other), 'gitlab')}`);
  return { folder: join(work, name), name, commands };
}

/** Runs the pipeline of a project with the packages of the first one. */
async function runPipeline({ folder, name, commands }, first) {
  const manifest = (project) => contentsOf(project.folder, project.name)['package.json'];
  expectThat(`${name} depends on the same packages`, manifest({ folder, name }) === manifest(first));
  symlinkSync(join(first.folder, 'node_modules'), join(folder, 'node_modules'));
  for (const command of commands.filter((one) => !['npm ci', 'npm run compile'].includes(one)))
    await runBeside('sh', ['-c', command], { cwd: folder });
  expectSynthesized(folder, name);
}

function expectSynthesized(folder, name) {
  const files = readdirSync(join(folder, 'dist'));
  const text = files.map((file) => readFileSync(join(folder, 'dist', file), 'utf8')).join('');
  expectThat(
    `${name} is synthesized`,
    text.includes(`namespace: ${name}`) && /^kind: ServiceAccount$/m.test(text),
    text,
  );
}

/** Creates and tests all combinations in a folder, with a packed library. */
export async function testNewProjects(work, library) {
  mkdirSync(work);
  // As the documentation says: npx runs the file, and finds no other package.
  const packed = ['--yes', '--package', library, 'pinion', 'init'];
  const first = { folder: join(work, 'first'), name: 'first' };
  run('npx', [...packed, 'first', '--pinion', library, ...options('constructs', 'service', 'github')], { cwd: work });
  for (const command of [...commandsOf(first.folder, 'github'), 'npx --no-install cdk8s synth --check-upgrade=false'])
    run('sh', ['-c', command], { cwd: first.folder });
  expectSynthesized(first.folder, first.name);
  const before = JSON.stringify(contentsOf(first.folder, first.name));
  const refused = run('npx', [...packed, 'first', '--yes'], { cwd: work, fails: true });
  expectThat('a second project in the folder is refused', refused.includes('  package.json\n'), refused);
  expectThat('and changes nothing', JSON.stringify(contentsOf(first.folder, first.name)) === before);

  const pinion = join(first.folder, 'node_modules', '.bin', 'pinion');
  const waiting = [...combinations];
  const worker = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift())
      await runPipeline(await create(work, pinion, library, one), first);
  };
  await Promise.all([worker(), worker()]);
  // One run of the compiler for all of them, with the options of each.
  const tsconfig = JSON.parse(readFileSync(join(first.folder, 'tsconfig.json'), 'utf8'));
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({ ...tsconfig, include: ['*/*.ts'], exclude: ['*-gitlab'] }),
  );
  run(join(first.folder, 'node_modules', '.bin', 'tsc'), ['--noEmit', '--typeRoots', 'first/node_modules/@types'], {
    cwd: work,
  });
}
