import { readFileSync } from 'node:fs';
import {
  addAmounts,
  parseManifest,
  isError,
  parseQuantity,
  type ResourceList,
  type ManifestInput,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '../../../api';
import { dateOf, dayOf } from '../../../capacity';
import { workloadFootprint } from '../../../expand';
import { propose, defaultFactor, type Present, type Proposal } from '../../../quota';
import { UsageError } from '../../command/arguments';
import { ManifestChecker } from '../../input/manifest-checker';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs, type InputDocument, type InputDocuments } from '../../input/input-documents';
import { inputFiles } from '../../input/input-files';
import { UnavailableError, type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { editedText, proposedDocument } from './quota-edit';
import { type QuotaArguments } from './quota-options';
import { readUsage } from './known-usage';
import { problemLines } from '../../output/tally';
import { writeFileAtomically } from '../../output/whole-file';

type ProjectDocument = Extract<InputDocument, { is: 'platform' }> & { readonly completed: PlatformManifest<'Project'> };

/** `pinion quota propose`: the quotas that follow from the history, as Project documents or into the files that hold them. */
export async function proposeQuotas(words: readonly string[], given: QuotaArguments, io: Io): Promise<ExitCode> {
  if (words.length === 0) throw new UsageError('quota propose needs the files or folders of the Projects');
  const isJson = given.values.output === 'json';
  if (given.flags['in-place'] && (given.values.file !== undefined || isJson))
    throw new UsageError(`--in-place edits the inputs; leave out ${isJson ? '--output json' : '--file'}`);
  const keepDays = daysOf(given.values.keep);
  const inputs = await readInputs(words, io);
  const known = await resolveTargetCluster(inputs, given.values.platform, io);
  const history = await readUsage(given, io);
  if (typeof history === 'number') return history;
  const projects = inputs.documents.filter(isProject);
  const present = presentOf(inputs, known.cluster, history.used);
  const problems = [...known.problems, ...inputs.problems, ...present.problems, ...missingProjectProblems(projects)];
  for (const piece of problemLines(problems)) io.writeError(piece);
  if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
  if (problems.some(isError) || !known.cluster) return exitCodes.failure;
  const proposals = propose(
    {
      projects: projects.map(({ completed }) => completed),
      platform: known.cluster.platform,
      usage: history.usage,
      present: present.of,
    },
    {
      factor: factorOf(given.values.factor),
      keepDays,
      lower: given.flags.lower === true,
    },
  );
  return write(proposals, projects, given, words, io);
}

const isProject = (document: InputDocument): document is ProjectDocument =>
  document.is === 'platform' && document.completed.kind === 'Project' && !document.context;

/** That there is no Project to say anything of. */
export const missingProjectProblems = (projects: readonly unknown[]): Problem[] =>
  projects.length > 0
    ? []
    : [{ code: 'required', path: [], reason: 'there is no Project among the inputs', remedy: 'name their files' }];

function factorOf(text: string | undefined) {
  const factor = text === undefined ? defaultFactor : /^\d+(\.\d+)?$/.test(text) ? parseQuantity(text) : undefined;
  if (!factor || factor.nanos < 1_000_000_000n || factor.nanos > 10_000_000_000n)
    throw new UsageError('--factor takes a number from 1 to 10, such as 1.2');
  return factor;
}

/** Days as dates; one that no calendar has would never be left out. */
function daysOf(text: string | undefined): readonly string[] {
  const days = text?.split(',') ?? [];
  const wrong = days.find((day) => dateOf(dayOf(day)) !== day);
  if (wrong === undefined) return days;
  throw new UsageError(`--keep takes days, such as 2026-05-02,2026-05-03, not ${JSON.stringify(wrong)}`);
}

/** What the workloads among the inputs ask for at their largest, and what is used now. */
function presentOf(
  inputs: InputDocuments,
  cluster: Awaited<ReturnType<typeof resolveTargetCluster>>['cluster'],
  used: ReadonlyMap<string, Present['used']>,
): { readonly of: ReadonlyMap<string, Present>; readonly problems: readonly Problem[] } {
  const examiner = new ManifestChecker({ cluster, asController: true });
  const problems: Problem[] = [];
  const promised = new Map<string, ResourceList>();
  for (const document of inputs.documents) {
    if (document.is !== 'workload') continue;
    const found = examiner.check(document);
    problems.push(...found.problems.filter(isError));
    if (!found.objects) continue;
    const workload = parseManifest(document.value as unknown as ManifestInput) as Workload;
    const project = workload.metadata.namespace;
    promised.set(project, addAmounts(promised.get(project) ?? {}, workloadFootprint(workload, found.objects)));
  }
  const of = new Map<string, Present>();
  for (const project of new Set([...promised.keys(), ...used.keys()]))
    of.set(project, { used: used.get(project) ?? {}, promised: promised.get(project) ?? {} });
  return { of, problems };
}

async function write(
  proposals: readonly Proposal[],
  projects: readonly ProjectDocument[],
  given: QuotaArguments,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> {
  const wanted = new Map(proposals.map(({ project, values }) => [project, values]));
  if (given.flags['in-place']) return writeInPlace(wanted, words, io);
  const documents = () =>
    projects.map(({ value, completed }) => proposedDocument(value, wanted.get(completed.metadata.name) ?? []));
  const text =
    given.values.output === 'json' ? `${JSON.stringify({ proposals }, null, 2)}\n` : documents().join('---\n');
  if (given.values.file === undefined || given.values.file === '-') await io.write(text);
  else writeFileAtomically(given.values.file, text, io);
  return exitCodes.success;
}

/** Edits all files or none. */
function writeInPlace(wanted: ReadonlyMap<string, Proposal['values']>, words: readonly string[], io: Io): ExitCode {
  const edits: { path: string; shown: string; text: string }[] = [];
  for (const { path, shown } of inputFiles(words, io)) {
    if (path === undefined) throw new UsageError('--in-place edits files; standard input is none');
    const before = readText(path);
    const text = editedText(before, shown, wanted);
    if (text === undefined) {
      io.writeError(
        `pinion: ${shown} cannot be edited in place; write its spec in block style, or leave --in-place out\n`,
      );
      return exitCodes.failure;
    }
    if (text !== before) edits.push({ path, shown, text });
  }
  for (const { path, text } of edits) writeFileAtomically(path, text, io);
  io.writeError(`${edits.length === 0 ? 'no file' : edits.map(({ shown }) => shown).join(', ')} changed\n`);
  return exitCodes.success;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UnavailableError(`${path}: cannot be read`);
  }
}
