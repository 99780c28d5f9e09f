import { isPlainObject, type WorkloadKind } from '../../api';
import { type CanaryDoorName, type CanaryStep } from './canary-steps';

/** A part of the platform that a failure is laid to. */
export type CanaryPart =
  | 'api-server'
  | 'etcd'
  | 'scheduler'
  | 'controller-manager'
  | 'controller'
  | 'admission'
  | 'quota'
  | 'ingress'
  | 'dns'
  | 'zookeeper'
  | 'nodes'
  | 'capacity'
  | 'images'
  | 'runtime-profile'
  | 'submission'
  | 'artifacts'
  | 'canary'
  | 'unknown';

/** What is broken, in words: which part, who can act, and what to do next. */
export interface CanaryCause {
  readonly part: CanaryPart;
  readonly owner: 'platform' | 'application' | 'quota' | 'capacity';
  readonly message: string;
  readonly next: string;
}

/** What became of one step. */
export interface CanaryStepResult {
  readonly step: CanaryStep;
  readonly state: 'passed' | 'failed' | 'not-checked';
  readonly seconds: number;
  /** Why it failed or was not checked. */
  readonly reason?: string;
  readonly cause?: CanaryCause;
}

/** One kind through one door. */
export interface CanaryCase {
  readonly kind: WorkloadKind;
  readonly door: CanaryDoorName;
  /** `skipped` where the door is not there, which is no success. */
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly steps: readonly CanaryStepResult[];
}

/** One run. */
export interface CanaryRun {
  readonly id: string;
  /** RFC 3339. */
  readonly began: string;
  /** RFC 3339; a run that was killed is in no report. */
  readonly ended: string;
  /** RuntimeProfile that was in force, which its workloads had. */
  readonly profile: string;
  /** Objects of former runs that it found and removed. */
  readonly swept: number;
  readonly cases: readonly CanaryCase[];
}

/** What is kept of runs. */
export interface CanaryReport {
  /** The newest last. */
  readonly runs: readonly CanaryRun[];
  /** When all steps were last done, RFC 3339, by `kind door`. */
  readonly successes: Readonly<Record<string, string>>;
  /** Steps that failed since the report began, by `kind door step`. */
  readonly failures: Readonly<Record<string, number>>;
}

/** The report of a cluster on which no run has ended. */
export const emptyReport: CanaryReport = { runs: [], successes: {}, failures: {} };

/** Runs that are kept: some hours of them. */
const maxRuns = 20;
/** Characters of a report: also where each takes two bytes, below the 1 MiB that an object may have. */
const maxLength = 400_000;

/** A report with one more run; the oldest runs go where it would become too long. */
export function withRun(report: CanaryReport, run: CanaryRun): CanaryReport {
  const successes = { ...report.successes };
  const failures = { ...report.failures };
  for (const { kind, door, state, steps } of run.cases) {
    if (state === 'passed') successes[`${kind} ${door}`] = run.ended;
    for (const { step, state: end } of steps) {
      // A counter is there from the first look at its step, so that the first failure is an increase.
      const key = `${kind} ${door} ${step}`;
      failures[key] = (failures[key] ?? 0) + (end === 'failed' ? 1 : 0);
    }
  }
  let runs = [...report.runs, run].slice(-maxRuns);
  while (runs.length > 1 && reportText({ runs, successes, failures }).length > maxLength) runs = runs.slice(1);
  return { runs, successes, failures };
}

/** A report as it is kept. */
export const reportText = (report: CanaryReport): string => JSON.stringify(report);

/** The report that a text holds; undefined where it holds none. */
export function readReport(text: unknown): CanaryReport | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isReport =
      isPlainObject(value) &&
      Array.isArray(value['runs']) &&
      value['runs'].every((run) => isPlainObject(run) && Array.isArray(run['cases'])) &&
      isPlainObject(value['successes']) &&
      isPlainObject(value['failures']);
    return isReport ? (value as unknown as CanaryReport) : undefined;
  } catch {
    return undefined;
  }
}
