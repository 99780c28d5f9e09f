import { amountsOf, isError, type PlatformManifest } from '../../../api';
import { dateOf } from '../../../capacity';
import { quotaOf } from '../../../expand';
import { dayAt, joinUsage, forecastQuota, type Usage } from '../../../quota';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type QuotaStatusOptions } from './quota-options';
import { missingProjectProblems } from './propose';
import { projectsAmong } from './review';
import { readUsage, type KnownUsage } from './known-usage';
import { problemLines } from '../../output/tally';
import { outlookRow, type OutlookRow, outlookTable } from '../../output/outlook-table';

/** `pinion quota status`: prints usage and forecast of Projects for the newest measured day, or for today with `--live`. */
export async function quotaStatus(args: readonly string[], options: QuotaStatusOptions, io: Io): Promise<ExitCode> {
  const inputs = await readInputs(args, io);
  const known = await resolveTargetCluster(inputs, options.platform, io);
  const history = await readUsage(options, io);
  if (typeof history === 'number') return history;
  const projects = projectsAmong(inputs);
  const problems = [...known.problems, ...inputs.problems, ...missingProjectProblems(projects)];
  for (const chunk of problemLines(problems)) io.writeError(chunk);
  if (inputs.isUnavailable || known.isUnavailable) return exitCodes.unavailable;
  if (problems.some(isError) || !known.cluster) return exitCodes.failure;
  const { platform } = known.cluster;
  if (!options.live && options.usage === undefined && options.prometheus === undefined)
    io.writeError('pinion: no usage history; add --live, --usage FILE or --prometheus URL\n');
  const past = untilNow(history.usage, options.live, io);
  const usage = options.live ? joinUsage(past, currentUsage(history, io)) : past;
  const today = newestDay(usage);
  const rows = projects.flatMap((project) =>
    amountsOfQuota(project, platform).map(([resource, quota]): OutlookRow => {
      const name = project.metadata.name;
      const outlook = forecastQuota(usage.get(name) ?? [], resource, quota, today ?? 0);
      return outlookRow(name, resource, outlook, history.used.get(name)?.[resource]);
    }),
  );
  const output = { day: today === undefined ? undefined : dateOf(today), rows };
  await io.write(
    options.output === 'json'
      ? `${JSON.stringify(output, null, 2)}\n`
      : outlookTable(rows, { field: 'RESOURCE', limit: 'QUOTA', isLive: options.live }),
  );
  return exitCodes.success;
}

/** Returns a history without future days; prints warnings about future days and about an outdated history. */
function untilNow(usage: Usage, isLive: boolean, io: Io): Usage {
  const newest = newestDay(usage);
  if (!io.system || newest === undefined) return usage;
  const now = dayAt(io.system.clock.now());
  if (newest > now) io.writeError(`pinion: the history extends to ${dateOf(newest)}; ignoring days after today\n`);
  const past = new Map([...usage].map(([project, days]) => [project, days.filter(({ day }) => day <= now)]));
  const last = newestDay(past);
  if (last !== undefined && now - last > 2)
    io.writeError(
      `pinion: the history ended on ${dateOf(last)}, ${now - last} days ago; ` +
        `${isLive ? 'only current usage is from today' : 'the output is as of that day'}\n`,
    );
  return past;
}

function newestDay(usage: Usage): number | undefined {
  const days = [...usage.values()].flatMap((history) => history.at(-1)?.day ?? []);
  return days.length > 0 ? Math.max(...days) : undefined;
}

/** Returns the current usage as a history of today. */
function currentUsage({ used }: KnownUsage, io: Io): Usage {
  const day = dayAt(io.system?.clock.now() ?? 0);
  return new Map([...used].map(([project, peaks]) => [project, [{ day, peaks, consumed: {} }]]));
}

const amountsOfQuota = (project: PlatformManifest<'Project'>, platform: PlatformManifest<'Platform'>) =>
  Object.entries(amountsOf(quotaOf(project, platform))).sort(([a], [b]) => (a < b ? -1 : 1));
