import { readFileSync } from 'node:fs';
import {
  addAmounts,
  parseManifest,
  isError,
  type ResourceList,
  type ManifestInput,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '../../../api';
import { workloadFootprint } from '../../../expand';
import { propose, defaultFactor, type ProjectRequests, type Proposal } from '../../../quota';
import { UsageError } from '../../command/usage-error';
import { ManifestChecker } from '../../input/manifest-checker';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs, type InputDocument, type InputDocuments } from '../../input/input-documents';
import { inputFiles } from '../../input/input-files';
import { UnavailableError, type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { editedText, proposedDocument } from './quota-edit';
import { type ProposeOptions } from './quota-options';
import { readUsage } from './known-usage';
import { problemLines } from '../../output/tally';
import { writeFileAtomically } from '../../output/whole-file';

type ProjectDocument = Extract<InputDocument, { is: 'platform' }> & { readonly manifest: PlatformManifest<'Project'> };

/** `pinion quota propose`: prints Projects with quotas from the history, or edits their files. */
export async function proposeQuotas(args: readonly string[], options: ProposeOptions, io: Io): Promise<ExitCode> {
  const inputs = await readInputs(args, io);
  const known = await resolveTargetCluster(inputs, options.platform, io);
  const history = await readUsage(options, io);
  if (typeof history === 'number') return history;
  const projects = inputs.documents.filter(isProject);
  const current = currentRequests(inputs, known.cluster, history.used);
  const problems = [...known.problems, ...inputs.problems, ...current.problems, ...missingProjectProblems(projects)];
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
  if (problems.some(isError) || !known.cluster) return exitCodes.failure;
  const proposals = propose(
    {
      projects: projects.map(({ manifest }) => manifest),
      platform: known.cluster.platform,
      usage: history.usage,
      present: current.requests,
    },
    {
      factor: options.factor ?? defaultFactor,
      keepDays: options.keep ?? [],
      lower: options.lower,
    },
  );
  return write(proposals, projects, options, args, io);
}

const isProject = (document: InputDocument): document is ProjectDocument =>
  document.is === 'platform' && document.manifest.kind === 'Project' && !document.context;

/** Returns a problem if there is no Project. */
export const missingProjectProblems = (projects: readonly unknown[]): Problem[] =>
  projects.length > 0
    ? []
    : [
        {
          code: 'required',
          path: [],
          reason: 'the inputs contain no Project',
          remedy: 'add the files of the Projects',
        },
      ];

/** Returns the maximum requests of the workloads in the inputs, and the current usage. */
function currentRequests(
  inputs: InputDocuments,
  cluster: Awaited<ReturnType<typeof resolveTargetCluster>>['cluster'],
  used: ReadonlyMap<string, ProjectRequests['used']>,
): { readonly requests: ReadonlyMap<string, ProjectRequests>; readonly problems: readonly Problem[] } {
  const checker = new ManifestChecker({ cluster, asController: true });
  const problems: Problem[] = [];
  const promised = new Map<string, ResourceList>();
  for (const document of inputs.documents) {
    if (document.is !== 'workload') continue;
    const checked = checker.check(document);
    problems.push(...checked.problems.filter(isError));
    if (!checked.objects) continue;
    const workload = parseManifest(document.value as unknown as ManifestInput) as Workload;
    const project = workload.metadata.namespace;
    promised.set(project, addAmounts(promised.get(project) ?? {}, workloadFootprint(workload, checked.objects)));
  }
  const requests = new Map<string, ProjectRequests>();
  for (const project of new Set([...promised.keys(), ...used.keys()]))
    requests.set(project, { used: used.get(project) ?? {}, promised: promised.get(project) ?? {} });
  return { requests, problems };
}

async function write(
  proposals: readonly Proposal[],
  projects: readonly ProjectDocument[],
  options: ProposeOptions,
  args: readonly string[],
  io: Io,
): Promise<ExitCode> {
  const proposed = new Map(proposals.map(({ project, values }) => [project, values]));
  if (options['in-place']) return writeInPlace(proposed, args, io);
  const documents = () =>
    projects.map(({ value, manifest }) => proposedDocument(value, proposed.get(manifest.metadata.name) ?? []));
  const text = options.output === 'json' ? `${JSON.stringify({ proposals }, null, 2)}\n` : documents().join('---\n');
  if (options.file === undefined || options.file === '-') await io.write(text);
  else writeFileAtomically(options.file, text, io);
  return exitCodes.success;
}

/** Edits either all files or none. */
function writeInPlace(proposed: ReadonlyMap<string, Proposal['values']>, args: readonly string[], io: Io): ExitCode {
  const edits: { path: string; shown: string; text: string }[] = [];
  for (const { path, shown } of inputFiles(args, io)) {
    if (path === undefined) throw new UsageError('--in-place requires files, not standard input');
    const before = readText(path);
    const text = editedText(before, shown, proposed);
    if (text === undefined) {
      io.writeError(`pinion: ${shown} cannot be edited in place; write its spec in block style, or omit --in-place\n`);
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
