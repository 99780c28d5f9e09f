import { type CanaryCase, type CanaryReport, type CanaryRun } from './canary-report';

/** Milliseconds after which a run is stale: three default intervals. */
export const canaryFreshness = 30 * 60_000;

/** Decision on whether the cluster may be changed, based on the canary's latest results. */
export interface CanaryVerdict {
  readonly isOpen: boolean;
  /** Reasons why it is closed; if it is open, the skipped checks. */
  readonly reasons: readonly string[];
}

/** Evaluates a report: the latest test of each kind and deployment path must have passed within `freshness` milliseconds. Pure. */
export function evaluateCanaryReport(report: CanaryReport, now: number, freshness = canaryFreshness): CanaryVerdict {
  const last = report.runs.at(-1);
  if (!last) return { isOpen: false, reasons: ['no canary run has finished yet'] };
  const age = minutesSince(last.ended, now);
  if (age * 60_000 > freshness)
    return { isOpen: false, reasons: [`the last canary run finished ${Math.round(age)} minutes ago`] };
  const latest = latestTests(report);
  const failed = latest
    .filter(({ test }) => test.state === 'failed')
    .map(({ test }) => `${nameOf(test)}: ${failureOf(test)}`);
  const stale = latest
    .filter(({ test, ended }) => test.state === 'passed' && minutesSince(ended, now) * 60_000 > freshness)
    .map(({ test, ended }) => `${nameOf(test)} was last tested ${Math.round(minutesSince(ended, now))} minutes ago`);
  const closed = [...failed, ...stale];
  if (closed.length > 0) return { isOpen: false, reasons: closed };
  const skipped = latest
    .filter(({ test }) => test.state === 'skipped')
    .map(({ test }) => `${nameOf(test)} was skipped: ${test.reason ?? ''}`);
  if (latest.length === skipped.length)
    return { isOpen: false, reasons: ['the canary tested no deployment path', ...skipped] };
  return { isOpen: true, reasons: skipped };
}

/** Canary verdict on the RuntimeProfile of the last run, for the controller. */
export interface ProfileVerdict extends CanaryVerdict {
  readonly profile: string;
  /** PlatformRevision of the last run. @default - the Platform had none */
  readonly revision?: string;
  /** Begin of the last run, in RFC 3339. */
  readonly began: string;
  /** End of the last run, in RFC 3339. */
  readonly ended: string;
}

/** Evaluates the runs with the profile and the revision of the last run, at the end of that run. Pure. */
export function profileVerdict(report: CanaryReport): ProfileVerdict {
  const { began = '', ended = '', profile = '', revision } = report.runs.at(-1) ?? {};
  const runs = report.runs.filter((run) => run.profile === profile && run.revision === revision);
  const tested = { profile, ...(revision !== undefined && { revision }), began, ended };
  const { isOpen, reasons } = evaluateCanaryReport({ ...report, runs }, Date.parse(ended));
  const missing = untestedCases(report, runs).map(
    (name) => `${name} has not been tested with runtime profile ${profile}`,
  );
  return isOpen && missing.length > 0 ? { isOpen: false, reasons: missing, ...tested } : { isOpen, reasons, ...tested };
}

/** Returns the kinds and deployment paths that the report covers but the given runs do not. Pure. */
export function untestedCases({ runs: all }: CanaryReport, runs: readonly CanaryRun[]): readonly string[] {
  const tested = new Set(testedCases(runs));
  return [...new Set(testedCases(all))].filter((name) => !tested.has(name));
}

const testedCases = (runs: readonly CanaryRun[]): string[] =>
  runs.flatMap(({ cases }) => cases.filter(({ state }) => state !== 'skipped').map(nameOf));

const minutesSince = (time: string, now: number): number => (now - Date.parse(time)) / 60_000;
const nameOf = ({ kind, deploymentPath }: CanaryCase): string => `${kind} through ${deploymentPath}`;

function failureOf({ steps }: CanaryCase): string {
  const failed = steps.find(({ state }) => state === 'failed');
  return failed ? `${failed.step} failed: ${failed.cause?.message ?? failed.reason ?? ''}` : 'failed';
}

/** Returns the latest test of each kind and deployment path with the end time of its run; a skipped one counts only if all were skipped. */
function latestTests({ runs }: CanaryReport): { readonly test: CanaryCase; readonly ended: string }[] {
  const found = new Map<string, { test: CanaryCase; ended: string }>();
  for (const { cases, ended } of runs)
    for (const test of cases)
      if (test.state !== 'skipped' || (found.get(nameOf(test))?.test.state ?? 'skipped') === 'skipped')
        found.set(nameOf(test), { test, ended });
  return [...found.values()];
}
