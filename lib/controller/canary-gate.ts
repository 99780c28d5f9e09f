import { canaryReport, isPlainObject, type PlatformManifest, valueAt } from '../api';
import { secondsOf } from '../expand';
import { type Child } from './observed/child';

type Runtime = PlatformManifest<'Platform'>['spec']['runtime'];

/** Maximum length of a canary failure in a status, in characters. */
const maxWords = 600;

/** What the canary says of the cluster. */
interface Verdict {
  readonly isOpen: boolean;
  readonly reasons: readonly string[];
  /** RuntimeProfile that its last run had. */
  readonly profile: string;
  /** When that run ended, RFC 3339. */
  readonly ended: string;
}

const verdicts = new WeakMap<Child, { readonly verdict: Verdict | undefined }>();

/**
 * Why no workload may move to the runtime profile in force by itself now; undefined where it may.
 *
 * The canary's own workloads are new in each run, so that they have the profile in force at once: what it says of that
 * profile is known before anybody's pods are made with it. `now` in milliseconds since 1970.
 */
export function canaryHold(
  { canary, profile }: Pick<Runtime, 'canary' | 'profile'>,
  report: Child | undefined,
  now: number,
): string | undefined {
  if (!canary) return undefined;
  const verdict = report && verdictOf(report);
  if (!verdict) return `no run of the canary in project ${canary.project} has ended yet`;
  if (verdict.profile !== profile) return `the canary's last run had the runtime profile ${verdict.profile}`;
  const age = now - Date.parse(verdict.ended);
  if (!(age <= secondsOf(canary.freshness) * 1000))
    return `the canary's last run ended at ${verdict.ended}, more than ${canary.freshness} ago`;
  if (verdict.isOpen) return undefined;
  return `the canary is not well: ${verdict.reasons.join('; ')}`.slice(0, maxWords);
}

function verdictOf(report: Child): Verdict | undefined {
  const known = verdicts.get(report) ?? {
    verdict: readVerdict(valueAt(report.content(), ['data', canaryReport.verdict])),
  };
  verdicts.set(report, known);
  return known.verdict;
}

function readVerdict(text: unknown): Verdict | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    if (!isPlainObject(value)) return undefined;
    const { isOpen, reasons, profile, ended } = value;
    if (typeof isOpen !== 'boolean' || typeof profile !== 'string' || typeof ended !== 'string') return undefined;
    return { isOpen, profile, ended, reasons: Array.isArray(reasons) ? reasons.map(String) : [] };
  } catch {
    return undefined;
  }
}
