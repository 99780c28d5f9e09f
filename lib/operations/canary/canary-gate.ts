import { type CanaryCase, type CanaryReport, type CanaryRun } from './canary-report';

/** Milliseconds for which a run speaks of the cluster: three of the usual schedule. */
export const canaryFreshness = 30 * 60_000;

/** Whether a change of the cluster may go on, by what the canary last found. */
export interface CanaryVerdict {
  readonly isOpen: boolean;
  /** Why not, one sentence each; or what was skipped, where it is open. */
  readonly reasons: readonly string[];
}

/** Judges a report: the newest look at each kind and door has to be good, and not older than `freshness` milliseconds. Pure. */
export function evaluateCanaryReport(report: CanaryReport, now: number, freshness = canaryFreshness): CanaryVerdict {
  const last = report.runs.at(-1);
  if (!last) return { isOpen: false, reasons: ['no run of the canary has ended yet'] };
  const old = minutesSince(last.ended, now);
  if (old * 60_000 > freshness)
    return { isOpen: false, reasons: [`the last run of the canary ended ${Math.round(old)} minutes ago`] };
  const looks = newestLooks(report);
  const failed = looks
    .filter(({ look }) => look.state === 'failed')
    .map(({ look }) => `${nameOf(look)}: ${whyOf(look)}`);
  const stale = looks
    .filter(({ look, ended }) => look.state === 'passed' && minutesSince(ended, now) * 60_000 > freshness)
    .map(({ look, ended }) => `${nameOf(look)} was last looked at ${Math.round(minutesSince(ended, now))} minutes ago`);
  const closed = [...failed, ...stale];
  if (closed.length > 0) return { isOpen: false, reasons: closed };
  const skipped = looks
    .filter(({ look }) => look.state === 'skipped')
    .map(({ look }) => `${nameOf(look)} was skipped: ${look.reason ?? ''}`);
  if (looks.length === skipped.length)
    return { isOpen: false, reasons: ['the canary went through no door', ...skipped] };
  return { isOpen: true, reasons: skipped };
}

/** What the controller is told of the RuntimeProfile that the last run had. */
export interface ProfileVerdict extends CanaryVerdict {
  readonly profile: string;
  /** When the last run ended, RFC 3339. */
  readonly ended: string;
}

/** Whether all was well with the profile of the last run, at its end: runs with other profiles say nothing of it. Pure. */
export function profileVerdict(report: CanaryReport): ProfileVerdict {
  const { ended = '', profile = '' } = report.runs.at(-1) ?? {};
  const runs = report.runs.filter((run) => run.profile === profile);
  const { isOpen, reasons } = evaluateCanaryReport({ ...report, runs }, Date.parse(ended));
  const missing = unlooked(report, runs).map((name) => `${name} was not looked at with the runtime profile ${profile}`);
  return isOpen && missing.length > 0
    ? { isOpen: false, reasons: missing, profile, ended }
    : { isOpen, reasons, profile, ended };
}

/** Kinds and doors, such as `PinterestService through synth`, that some run of a report looked at, and none of these runs did. Pure. */
export function unlooked({ runs: all }: CanaryReport, runs: readonly CanaryRun[]): readonly string[] {
  const seen = new Set(lookedAt(runs));
  return [...new Set(lookedAt(all))].filter((name) => !seen.has(name));
}

const lookedAt = (runs: readonly CanaryRun[]): string[] =>
  runs.flatMap(({ cases }) => cases.filter(({ state }) => state !== 'skipped').map(nameOf));

const minutesSince = (time: string, now: number): number => (now - Date.parse(time)) / 60_000;
const nameOf = ({ kind, door }: CanaryCase): string => `${kind} through ${door}`;

function whyOf({ steps }: CanaryCase): string {
  const failed = steps.find(({ state }) => state === 'failed');
  return failed ? `${failed.step} failed: ${failed.cause?.message ?? failed.reason ?? ''}` : 'it failed';
}

/** The newest look at each kind and door, and when its run ended; one that was skipped counts only where none ever was not. */
function newestLooks({ runs }: CanaryReport): { readonly look: CanaryCase; readonly ended: string }[] {
  const found = new Map<string, { look: CanaryCase; ended: string }>();
  for (const { cases, ended } of runs)
    for (const look of cases)
      if (look.state !== 'skipped' || (found.get(nameOf(look))?.look.state ?? 'skipped') === 'skipped')
        found.set(nameOf(look), { look, ended });
  return [...found.values()];
}
