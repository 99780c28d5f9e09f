import { apiVersion, isError, type PlatformManifest, safeParseManifest, textAt, valueAt } from '../../../api';
import { defaultPlatform } from '../../../expand';
import {
  type ClientDay,
  clientHistory,
  historiesOf,
  historySelector,
  type ProjectClients,
  summarizeClients,
} from '../../../history';
import { type LiveObject } from '../../../kube';
import { apiBudgetOf, apiBudgetUsage, dayAt, forecastQuota, type Proposal, proposeApiBudgets } from '../../../quota';
import { withCluster } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { inputFiles, readInput } from '../../input/input-files';
import { type Io } from '../../io/io';
import { type OutlookRow, outlookRow } from '../../output/outlook-table';
import { problemLines } from '../../output/tally';
import { readDocuments } from '../../../yaml';
import { type ClientsOptions } from './clients-options';

/** Histories of the clients of each project. */
type DaysByProject = ReadonlyMap<string, readonly ClientDay[]>;

/** Clients of a project in the last week, with its owner and its API budget. */
export interface ProjectClientsReport extends ProjectClients {
  /** Empty without a Project, or if the Project has none. */
  readonly team: string;
  readonly onCall: string;
  /** Use of each field of the API budget; none without a Project. */
  readonly budgets: readonly OutlookRow[];
  /** Proposed fields of the API budget; none without a Project. */
  readonly proposal: Proposal['values'];
}

/** Reads the client history of a namespace, or of a file with its ConfigMaps; returns an exit code if it cannot be read. */
export async function readClientHistories(options: ClientsOptions, io: Io): Promise<DaysByProject | ExitCode> {
  const { history: namespace, 'history-file': file } = options;
  if (namespace !== undefined)
    return withCluster(options, io, async (cluster) =>
      printUnreadable(
        await cluster.list('ConfigMap', { namespace, labelSelector: historySelector(clientHistory) }),
        io,
      ),
    );
  const objects: LiveObject[] = [];
  for (const input of inputFiles([file ?? '-'], io)) {
    const { documents, problems } = readDocuments(await readInput(input, io), input.shown);
    for (const chunk of problemLines(problems)) io.writeError(chunk);
    if (problems.some(isError)) return exitCodes.failure;
    objects.push(...documents.map(({ value }) => value as LiveObject));
  }
  return printUnreadable(objects, io);
}

function printUnreadable(objects: readonly LiveObject[], io: Io): DaysByProject {
  const named = objects.filter((object) => textAt(object, 'metadata', 'name') !== undefined);
  const { histories, unreadable } = historiesOf(clientHistory, named);
  for (const project of unreadable)
    io.writeError(`pinion: the client history of ${project || 'no project'} cannot be read\n`);
  return histories;
}

/** Returns the report of the last week of each project, by falling cost, for the newest day of the history that is not in the future. */
export function reportClientHistories(
  histories: DaysByProject,
  manifests: readonly unknown[],
  options: Pick<ClientsOptions, 'project' | 'lower' | 'factor'>,
  now: number,
): { readonly day: number; readonly projects: readonly ProjectClientsReport[] } {
  const platform = manifests.flatMap((manifest) => parsed(manifest, 'Platform'))[0] ?? builtInPlatform();
  const projects = new Map(
    manifests.flatMap((manifest) => parsed(manifest, 'Project')).map((project) => [project.metadata.name, project]),
  );
  const days = [...histories.values()].flatMap((history) => history.map(({ day }) => day));
  const today = Math.max(0, ...days.filter((day) => day <= dayAt(now)));
  const reports = [...histories]
    .filter(([name]) => options.project === undefined || options.project.includes(name))
    .map(([name, history]): ProjectClientsReport => {
      const project = projects.get(name);
      const past = history.filter(({ day }) => day <= today);
      const usage = apiBudgetUsage(past);
      const budgets = project
        ? Object.entries(apiBudgetOf(project, platform)).map(([field, limit]) =>
            outlookRow(name, field, forecastQuota(usage, field, limit, today), undefined),
          )
        : [];
      const { factor, lower } = options;
      const [proposal] = project
        ? proposeApiBudgets(
            { projects: [project], platform, clients: new Map([[name, past]]) },
            { lower, ...(factor !== undefined && { factor }) },
          )
        : [];
      return {
        ...summarizeClients(name, past, today),
        team: project?.spec.team ?? '',
        onCall: project?.spec.onCall ?? '',
        budgets,
        proposal: proposal?.values ?? [],
      };
    });
  return { day: today, projects: reports.sort((a, b) => b.total.seatSeconds - a.total.seatSeconds) };
}

function parsed<K extends 'Project' | 'Platform'>(manifest: unknown, kind: K): readonly PlatformManifest<K>[] {
  if (textAt(manifest, 'kind') !== kind) return [];
  const [name, spec] = [textAt(manifest, 'metadata', 'name'), valueAt(manifest, ['spec'])];
  const { manifest: found } = safeParseManifest({ apiVersion, kind, metadata: { name }, spec });
  return found?.kind === kind ? [found as PlatformManifest<K>] : [];
}

function builtInPlatform(): PlatformManifest<'Platform'> {
  const [platform] = parsed(defaultPlatform, 'Platform');
  if (!platform) throw new TypeError('the built-in Platform is invalid');
  return platform;
}
