import { formatDuration, parseDuration } from '../api';
import { finalPhases, type Phase } from '../contract';

/** Retained result of one deployment of a workflow. */
export interface StageRecord {
  readonly stage: string;
  /** Digest of the deployed artifact. */
  readonly digest: string;
  /** Sequence number in the project. */
  readonly sequence: number;
  readonly phase: Phase;
  /** Time since which all of its workloads have been continuously Ready, RFC 3339; absent while they are not. */
  readonly readySince?: string | undefined;
  /** Time at which another deployment superseded it, if they were Ready until then, RFC 3339. */
  readonly readyUntil?: string | undefined;
}

/** Why a version does not meet a requirement on an earlier stage. */
export interface Missing {
  readonly field: 'when' | 'soak';
  readonly reason: string;
  readonly remedy: string;
  /** When it will be allowed without any action. */
  readonly from?: string;
}

/** Version whose readiness is evaluated, with what is known about it. */
export interface StageReadinessInput {
  readonly digest: string;
  /** Deployments of the same workflow, in any order. */
  readonly records: readonly StageRecord[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Returns why a version has not been Ready in a stage for as long as required, `soakTime`; undefined if it has.
 */
export function unmetReadiness(
  name: string,
  soakTime: string,
  { digest, records, now }: StageReadinessInput,
): Missing | undefined {
  const known = records.filter((record) => record.stage === name && record.digest === digest);
  const last = latest(known.filter(({ phase }) => !unappliedPhases.includes(phase))) ?? latest(known);
  if (!last) return { field: 'when', reason: `has not been deployed to ${name}`, remedy: `deploy it to ${name} first` };
  const soak = parseDuration(soakTime)?.millis ?? 0;
  if (last.phase !== 'ready' || last.readySince === undefined) return notReady(last, name);
  const readyTimes = known.map((record) => (record.phase === 'ready' ? readyDuration(record, now) : undefined));
  const longest = Math.max(...readyTimes.map((millis) => millis ?? -1));
  if (longest >= soak) return undefined;
  const shown = `${durationText(longest)} of ${durationText(soak)}`;
  if (last.readyUntil !== undefined)
    return {
      field: 'soak',
      reason: `was Ready in ${name} for ${shown}, until another version replaced it`,
      remedy: `deploy it to ${name} again, and keep it there for ${durationText(soak)}`,
    };
  const from = new Date(Date.parse(last.readySince) + soak).toISOString();
  return {
    field: 'soak',
    reason: `has been Ready in ${name} for ${shown}`,
    remedy: `deploy it at ${from} or later`,
    from,
  };
}

/** Final phases of deployments that changed nothing. */
const unappliedPhases: readonly Phase[] = ['superseded', 'cancelled'];

const latest = (records: readonly StageRecord[]): StageRecord | undefined =>
  [...records].sort((a, b) => b.sequence - a.sequence)[0];

/** Returns the milliseconds for which it has been Ready; undefined if it is not. */
function readyDuration({ readySince, readyUntil }: StageRecord, now: number): number | undefined {
  if (readySince === undefined) return undefined;
  const until = readyUntil === undefined ? now : Date.parse(readyUntil);
  return Math.max(0, until - Date.parse(readySince));
}

function notReady({ phase }: StageRecord, stage: string): Missing {
  if (phase === 'ready')
    return {
      field: 'when',
      reason: `is no longer Ready in ${stage}`,
      remedy: `check the status of its workloads there, and wait until they are Ready again`,
    };
  return finalPhases.includes(phase)
    ? {
        field: 'when',
        reason: `did not become Ready in ${stage}: the deployment ended as ${phase}`,
        remedy: `check its cause, and deploy it to ${stage} again`,
      }
    : { field: 'when', reason: `is not Ready in ${stage} yet: the deployment is ${phase}`, remedy: 'wait until it is' };
}

/** Formats a duration in whole seconds. */
const durationText = (millis: number): string => formatDuration({ millis: Math.floor(millis / 1000) * 1000 });
