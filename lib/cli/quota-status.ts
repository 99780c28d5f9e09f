import { amountsOf, formatQuantity, isError, type PlatformDocument } from '../api';
import { dateOf } from '../capacity';
import { quotaOf } from '../expand';
import { levelOf, outlookOf, type Outlook } from '../quota';
import { UsageError } from './arguments';
import { exitCodes, type ExitCode } from './exit-codes';
import { readInputs } from './input-documents';
import { type Io } from './io';
import { knownCluster } from './known-cluster';
import { type GivenQuota } from './quota-options';
import { withoutProject } from './quota-propose';
import { projectsAmong } from './quota-review';
import { usageOf } from './quota-usage';
import { problemLines } from './tally';
import { textTable } from './text-table';

interface Row {
  readonly project: string;
  readonly resource: string;
  readonly level: string;
  readonly used: string;
  readonly quota: string;
  readonly percent: number;
  readonly fullOn: string | undefined;
  readonly earliest: string | undefined;
  readonly latest: string | undefined;
}

/** `pinion quota status`: how the Projects among the inputs stand on the newest day of the history. */
export async function quotaStatus(words: readonly string[], given: GivenQuota, io: Io): Promise<ExitCode> {
  if (words.length === 0) throw new UsageError('quota status needs the files or folders of the Projects');
  const inputs = await readInputs(words, io);
  const known = await knownCluster(inputs, given.texts.platform, io);
  const history = await usageOf(given, io);
  if (typeof history === 'number') return history;
  const projects = projectsAmong(inputs);
  const problems = [...known.problems, ...inputs.problems, ...withoutProject(projects)];
  for (const piece of problemLines(problems)) io.tell(piece);
  if (inputs.inaccessible || known.inaccessible) return exitCodes.inaccessible;
  if (problems.some(isError) || !known.cluster) return exitCodes.problems;
  const { platform } = known.cluster;
  const today = Math.max(0, ...[...history.usage.values()].map((days) => days.at(-1)?.day ?? 0));
  const rows = projects.flatMap((project) =>
    amountsOfQuota(project, platform).map(([resource, quota]): Row => {
      const name = project.metadata.name;
      return rowOf(name, resource, outlookOf(history.usage.get(name) ?? [], resource, quota, today));
    }),
  );
  await io.write(
    given.texts.output === 'json' ? `${JSON.stringify({ day: dateOf(today), rows }, null, 2)}\n` : text(rows),
  );
  return exitCodes.fine;
}

const amountsOfQuota = (project: PlatformDocument<'Project'>, platform: PlatformDocument<'Platform'>) =>
  Object.entries(amountsOf(quotaOf(project, platform))).sort(([a], [b]) => (a < b ? -1 : 1));

function rowOf(project: string, resource: string, outlook: Outlook): Row {
  const date = (day: number | undefined): string | undefined => (day === undefined ? undefined : dateOf(day));
  return {
    project,
    resource,
    level: levelOf(outlook),
    used: formatQuantity(outlook.used),
    quota: formatQuantity(outlook.quota),
    percent: Math.round(outlook.share * 100),
    fullOn: date(outlook.full?.expected),
    earliest: date(outlook.full?.earliest),
    latest: date(outlook.full?.latest),
  };
}

const text = (rows: readonly Row[]): string =>
  textTable(
    ['PROJECT', 'RESOURCE', 'LEVEL', 'USED', 'QUOTA', 'SHARE', 'FULL ON', 'EARLIEST', 'LATEST'],
    rows.map(({ project, resource, level, used, quota, percent, fullOn = '-', earliest = '-', latest = '-' }) => [
      project,
      resource,
      level,
      used,
      quota,
      `${percent} %`,
      fullOn,
      earliest,
      latest,
    ]),
  );
