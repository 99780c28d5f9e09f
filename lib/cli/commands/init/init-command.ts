import { basename, resolve } from 'node:path';
import { explainProblem, ProblemsError } from '../../../api';
import { quoted } from '../completion/completion-nodes';
import { defineCommand } from '../../command/command';
import { type OptionValues } from '../../command/command-spec';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { ownVersion } from '../../io/own-version';
import { packageScope } from '../../io/package-name';
import { projectFiles } from './files/project-files';
import { defaultStarter, starterByWord, starters } from './kinds/starters';
import { lockFileName, makeLockFile } from './lock-file';
import { parsePinionSource } from './pinion-source';
import { ciSystems, flavors, type CiSystem, type Flavor, type ProjectChoices } from './project-choices';
import { ProjectFolder } from './project-folder';
import { answerTo } from './questions';
import { registryType } from './registry-type';

const kindWords = starters.map(({ word }) => word);

const options = {
  project: {
    type: 'string',
    valueName: 'NAME',
    description: 'name of the project and of its namespace',
    defaultText: 'name of the folder',
  },
  kind: {
    type: 'choice',
    choices: kindWords,
    description: 'kind of the first workload',
    defaultText: defaultStarter.word,
  },
  name: { type: 'string', valueName: 'NAME', description: 'name of the first workload', defaultText: 'by its kind' },
  flavor: {
    type: 'choice',
    choices: flavors,
    description: 'form of the workloads: TypeScript or manifests',
    defaultText: flavors[0],
  },
  ci: { type: 'choice', choices: ciSystems, description: 'CI system', defaultText: ciSystems[0] },
  pinion: {
    type: 'string',
    valueName: 'SPEC',
    description: 'version of the library, or a file of "npm pack", which is copied into the project',
    defaultText: 'version of this command',
  },
  registry: {
    type: 'parsed',
    valueType: registryType,
    description: `registry that .npmrc of the project maps ${packageScope} to`,
    defaultText: "npm's own configuration",
  },
  yes: { type: 'flag', short: 'y', description: 'ask nothing, and use the defaults' },
  'skip-lockfile': { type: 'flag', description: `write no ${lockFileName}` },
} as const;

/** `pinion init`. */
export const initCommand = defineCommand({
  description: `Write a project that can be built, tested and synthesized at once: package.json with exact versions, a Platform and a Project, one workload, a snapshot test and a CI pipeline. On a terminal, it asks for what no option sets. npm writes the lock file; nothing is installed. No file is replaced: if one exists, all of them are listed and nothing is written.`,
  arguments: { folder: { valueName: 'DIR', description: 'folder of the project (default: the working folder)' } },
  options,
  examples: [
    { command: 'pinion init shop --pinion FILE --ci gitlab', description: 'from a file that "npm pack" wrote' },
    { command: 'pinion init shop --registry https://npm.example.com/ --kind cron-job --flavor yaml --yes' },
  ],
  exitCodes: { failure: 'a file exists, or a name is not valid; nothing was written' },
  async run({ args, options: values }, io) {
    const shown = args.folder ?? '.';
    const choices = await chooseProject(resolve(io.cwd, shown), values, io);
    const files = filesOrReport(choices, io);
    return files ? writeProject(shown, files, !values['skip-lockfile'], io) : exitCodes.failure;
  },
});

async function chooseProject(path: string, values: OptionValues<typeof options>, io: Io): Promise<ProjectChoices> {
  const pinion = parsePinionSource(values.pinion ?? ownVersion(), io);
  const answer = (label: string, given: string | undefined, preset: string, choices?: readonly string[]) =>
    answerTo({ label, given, preset, ...(choices && { choices }) }, io, !values.yes);
  const project = await answer('Project', values.project, nameFrom(path));
  const word = await answer('Kind of the first workload', values.kind, defaultStarter.word, kindWords);
  const starter = starterByWord.get(word);
  if (!starter) throw new Error(`${word} is not a word of a kind`);
  return {
    project,
    starter,
    name: await answer('Name of the workload', values.name, starter.name),
    flavor: (await answer('Flavor', values.flavor, flavors[0], flavors)) as Flavor,
    ci: (await answer('CI system', values.ci, ciSystems[0], ciSystems)) as CiSystem,
    pinion,
    ...(values.registry && { registry: values.registry.href }),
  };
}

/** Returns a folder's name as the name of a project; `shop` if nothing of it can be used. */
const nameFrom = (path: string): string =>
  basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^[-0-9]+|-+$/g, '') || 'shop';

function filesOrReport(choices: ProjectChoices, io: Io): ReturnType<typeof projectFiles> | undefined {
  try {
    return projectFiles(choices);
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    for (const problem of error.problems) io.writeError(`${explainProblem(problem)}\n`);
    io.writeError('pinion: nothing was written; choose another --project or --name\n');
    return undefined;
  }
}

async function writeProject(
  shown: string,
  files: ReturnType<typeof projectFiles>,
  locks: boolean,
  io: Io,
): Promise<ExitCode> {
  const folder = new ProjectFolder(shown, io);
  const taken = folder.takenAmong([...Object.keys(files), lockFileName]);
  if (taken.length > 0) {
    io.writeError(`pinion: nothing was written, because these exist; move them, or choose another folder:\n`);
    for (const path of taken) io.writeError(`  ${path}\n`);
    return exitCodes.failure;
  }
  const stop = new AbortController();
  let locking = Promise.resolve<string | undefined>('skipped');
  const removeStopHandler = io.onStop(async () => {
    stop.abort();
    await locking;
    folder.abandon();
  });
  try {
    for (const [path, content] of Object.entries(files)) folder.write(path, content);
    if (locks) locking = makeLockFile(folder.temporary, stop.signal);
    const reason = await locking;
    if (stop.signal.aborted) return exitCodes.incomplete;
    if (reason === undefined) folder.adopt(lockFileName);
    folder.commit();
    io.writeError(summary(shown, Object.keys(files).length, reason));
    return exitCodes.success;
  } finally {
    folder.abandon();
    removeStopHandler();
  }
}

function summary(shown: string, count: number, lockReason: string | undefined): string {
  const enter = shown === '.' ? '' : `cd ${/^[\w./-]+$/.test(shown) ? shown : quoted(shown)} && `;
  if (lockReason === undefined)
    return `${count + 1} files in ${shown}\nNext: ${enter}npm ci && npm test && npm run synth\n`;
  const missing = `no ${lockFileName}, which CI needs: ${lockReason}\n`;
  return `${count} files in ${shown}\n${missing}Next: ${enter}npm install && npm test && npm run synth\n`;
}
