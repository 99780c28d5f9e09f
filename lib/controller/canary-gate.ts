import { canaryReport, isPlainObject, type PlatformManifest, valueAt } from '../api';
import { secondsOf } from '../expand';
import { type Child } from './observed/child';

type Runtime = PlatformManifest<'Platform'>['spec']['runtime'];

/** Maximum length of a canary failure in a status, in characters. */
const maxFailureLength = 600;

/** What a rollout demands of the last run, besides its success. */
export interface CanaryOfRollout {
  /** PlatformRevision of its workloads. */
  readonly revision: string;
  /** Time after which it began, RFC 3339. @default - unknown, so that no run counts */
  readonly began: string | undefined;
}

/** Canary result. */
interface Verdict {
  readonly isOpen: boolean;
  readonly reasons: readonly string[];
  /** RuntimeProfile of the last run. */
  readonly profile: string;
  /** PlatformRevision of the last run. @default - the Platform had none */
  readonly revision?: string;
  /** Begin of the last run, RFC 3339. */
  readonly began: string;
  /** End of the last run, RFC 3339. */
  readonly ended: string;
}

const verdicts = new WeakMap<Child, { readonly verdict: Verdict | undefined }>();

/**
 * Returns why workloads are not rolled out to the current runtime profile automatically; undefined if they are.
 *
 * The canary's own workloads are created in each run and so always use the current profile: its result is known before
 * other pods are created with that profile. `now` is in milliseconds since 1970.
 */
export function canaryHold(
  { canary, profile }: Pick<Runtime, 'canary' | 'profile'>,
  report: Child | undefined,
  now: number,
  rollout?: CanaryOfRollout,
): string | undefined {
  if (!canary) return undefined;
  const verdict = report && verdictOf(report);
  if (!verdict) return `no canary run in project ${canary.project} has finished yet`;
  if (verdict.profile !== profile) return `the canary's last run used the runtime profile ${verdict.profile}`;
  const age = now - Date.parse(verdict.ended);
  if (!(age <= secondsOf(canary.freshness) * 1000))
    return `the canary's last run ended at ${verdict.ended}, more than ${canary.freshness} ago`;
  if (rollout) {
    if (verdict.revision !== rollout.revision)
      return `the canary's last run tested ${verdict.revision === undefined ? 'no revision' : `revision ${verdict.revision}`}`;
    if (!(Date.parse(verdict.began) >= Date.parse(rollout.began ?? '')))
      return `the canary has not finished a run that began after ${rollout.began ?? 'the rollout'}`;
  }
  if (verdict.isOpen) return undefined;
  return `the canary is failing: ${verdict.reasons.join('; ')}`.slice(0, maxFailureLength);
}

function verdictOf(report: Child): Verdict | undefined {
  const cached = verdicts.get(report) ?? {
    verdict: readVerdict(valueAt(report.content(), ['data', canaryReport.verdict])),
  };
  verdicts.set(report, cached);
  return cached.verdict;
}

function readVerdict(text: unknown): Verdict | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    if (!isPlainObject(value)) return undefined;
    const { isOpen, reasons, profile, ended, began = '', revision } = value;
    if (typeof isOpen !== 'boolean' || typeof profile !== 'string' || typeof ended !== 'string') return undefined;
    const known = { began: String(began), ...(typeof revision === 'string' && { revision }) };
    return { isOpen, profile, ended, ...known, reasons: Array.isArray(reasons) ? reasons.map(String) : [] };
  } catch {
    return undefined;
  }
}
