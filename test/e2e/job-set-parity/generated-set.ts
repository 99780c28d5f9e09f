import { type SeededRandom } from '../chaos/seeded-random';

/** Actions of failure policy rules, which are those of the JobSet API. */
const actions = ['FailJobSet', 'RestartJobSet', 'RestartJobSetAndIgnoreMaxRestarts'] as const;
const reasons = ['FailedIndexes', 'MaxFailedIndexesExceeded', 'PodFailurePolicy', 'DeadlineExceeded'] as const;
const names = ['data', 'driver', 'workers', 'report'] as const;

/** Exit code that fails a Job at once, if it has a pod failure policy. */
export const fatalExitCode = 42;

/** Dependency of a job on an earlier one. */
export interface GeneratedDependency {
  readonly name: string;
  readonly status: 'Ready' | 'Complete';
}

/** Job of a generated set. */
export interface GeneratedJob {
  readonly name: string;
  readonly replicas: number;
  readonly shards: number;
  readonly parallelism?: number;
  readonly retries: number;
  readonly maxFailedShards?: number;
  /** Whether its Jobs fail at once with `fatalExitCode`. */
  readonly failsFast: boolean;
  /** Whether its Job exceeds its deadline, whatever its pods do. */
  readonly exceedsDeadline: boolean;
  readonly dependsOn: readonly GeneratedDependency[];
}

/** Rule of the failure policy of a generated set. */
export interface GeneratedRule {
  readonly action: (typeof actions)[number];
  readonly jobs?: readonly string[];
  readonly reasons?: readonly (typeof reasons)[number][];
}

/** Set that both controllers run. */
export interface GeneratedSet {
  readonly name: string;
  readonly jobs: readonly GeneratedJob[];
  /** Whether each job starts once all earlier ones are ready: the startup policy InOrder. */
  readonly inOrder: boolean;
  readonly successPolicy?: { readonly operator: 'All' | 'Any'; readonly jobs?: readonly string[] };
  readonly failurePolicy?: { readonly maxRestarts: number; readonly rules: readonly GeneratedRule[] };
  /** Whether it is suspended when it is created. */
  readonly suspend: boolean;
}

/** Generates a set; the same seed generates the same set. */
export function generateSet(seed: number, random: SeededRandom): GeneratedSet {
  const chosen = names.slice(0, random.integer(1, names.length));
  const inOrder = random.is(0.2);
  const deadlineJob = random.is(0.08) ? random.of(chosen) : undefined;
  const jobs = chosen.map((name, index) =>
    generateJob(name, inOrder ? [] : chosen.slice(0, index), name === deadlineJob, random),
  );
  const rulesWithoutEnd = deadlineJob !== undefined;
  return {
    name: `set-${seed}`,
    jobs,
    inOrder,
    ...(random.is(0.6) && {
      successPolicy: {
        operator: random.of(['All', 'Any'] as const),
        ...(random.is(0.6) && { jobs: subset(chosen, random) }),
      },
    }),
    ...(random.is(0.8) && {
      failurePolicy: {
        maxRestarts: random.integer(0, 2),
        rules: Array.from({ length: random.integer(0, 3) }, () => generateRule(chosen, rulesWithoutEnd, random)),
      },
    }),
    suspend: random.is(0.15),
  };
}

function generateJob(
  name: string,
  earlier: readonly string[],
  exceedsDeadline: boolean,
  random: SeededRandom,
): GeneratedJob {
  const shards = random.of([1, 2, 2, 3]);
  const dependencies = random.is(0.6) ? earlier.filter(() => random.is(0.5)) : [];
  return {
    name,
    replicas: exceedsDeadline ? 1 : random.of([1, 1, 2]),
    shards,
    ...(shards > 1 && random.is(0.3) && { parallelism: random.integer(1, shards - 1) }),
    retries: random.is(0.1) ? 1 : 0,
    ...(random.is(0.6) && { maxFailedShards: random.integer(0, 1) }),
    failsFast: random.is(0.4),
    exceedsDeadline,
    dependsOn: dependencies.map((dependency) => ({
      name: dependency,
      status: random.of(['Ready', 'Complete'] as const),
    })),
  };
}

/** A Job that exceeds its deadline in each attempt must not restart forever. */
const generateRule = (chosen: readonly string[], endsRestarts: boolean, random: SeededRandom): GeneratedRule => ({
  action: random.of(endsRestarts ? actions.slice(0, 2) : actions),
  ...(random.is(0.5) && { jobs: subset(chosen, random) }),
  ...(random.is(0.5) && { reasons: subset(reasons, random) }),
});

function subset<T>(of: readonly T[], random: SeededRandom): readonly T[] {
  const some = of.filter(() => random.is(0.5));
  return some.length > 0 ? some : [random.of(of)];
}
