import { isPlainObject, type WorkloadKind } from '../../api';
import { type CanaryDeploymentPath, type CanaryStep } from './canary-steps';

/** Part of the platform that caused a failure. */
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

/** Diagnosed cause: the broken part, its owner, and the next step. */
export interface CanaryCause {
  readonly part: CanaryPart;
  readonly owner: 'platform' | 'application' | 'quota' | 'capacity';
  readonly message: string;
  readonly next: string;
}

/** Result of a step. */
export interface CanaryStepResult {
  readonly step: CanaryStep;
  readonly state: 'passed' | 'failed' | 'not-checked';
  readonly seconds: number;
  /** Why it failed or was not checked. */
  readonly reason?: string;
  readonly cause?: CanaryCause;
}

/** Test result of a kind on a deployment path. */
export interface CanaryCase {
  readonly kind: WorkloadKind;
  readonly deploymentPath: CanaryDeploymentPath;
  /** `skipped` if the deployment path is unavailable, which does not count as passed. */
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly steps: readonly CanaryStepResult[];
}

/** Canary run. */
export interface CanaryRun {
  readonly id: string;
  /** Start, in RFC 3339. */
  readonly began: string;
  /** End, in RFC 3339. Killed runs are not reported. */
  readonly ended: string;
  /** RuntimeProfile of its workloads. */
  readonly profile: string;
  /** PlatformRevision of its workloads. @default - the Platform had none */
  readonly revision?: string;
  /** Number of leftover objects of earlier runs that it deleted. */
  readonly swept: number;
  readonly cases: readonly CanaryCase[];
}

/** Stored report of the canary. */
export interface CanaryReport {
  /** Runs, newest last. */
  readonly runs: readonly CanaryRun[];
  /** Time of the last success in RFC 3339, by `kind deploymentPath`. */
  readonly successes: Readonly<Record<string, string>>;
  /** Number of failures, by `kind deploymentPath step`. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Report without runs. */
export const emptyReport: CanaryReport = { runs: [], successes: {}, failures: {} };

/** Maximum number of runs: a few hours. */
const maxRuns = 20;
/** Maximum length: below the 1 MiB object limit even with two bytes per character. */
const maxLength = 400_000;

/** Returns the report with one more run, without the oldest runs if it would be too long. */
export function withRun(report: CanaryReport, run: CanaryRun): CanaryReport {
  const successes = { ...report.successes };
  const failures = { ...report.failures };
  for (const { kind, deploymentPath, state, steps } of run.cases) {
    if (state === 'passed') successes[`${kind} ${deploymentPath}`] = run.ended;
    for (const { step, state: end } of steps) {
      // The counter starts at 0 with the first test of its step, so that the first failure is an increase.
      const key = `${kind} ${deploymentPath} ${step}`;
      failures[key] = (failures[key] ?? 0) + (end === 'failed' ? 1 : 0);
    }
  }
  let runs = [...report.runs, run].slice(-maxRuns);
  while (runs.length > 1 && reportText({ runs, successes, failures }).length > maxLength) runs = runs.slice(1);
  return { runs, successes, failures };
}

/** Returns the stored form of a report. */
export const reportText = (report: CanaryReport): string => JSON.stringify(report);

/** Parses a stored report; returns undefined if it is invalid. */
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
