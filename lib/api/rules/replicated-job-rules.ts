import { type FieldPath } from '../problem';
import { type RuleViolation, type ValidationRule } from './validation-rule';

type Self = Readonly<Record<string, unknown>>;

interface Job {
  readonly name: string;
  readonly replicas: number;
  readonly shards: number;
  readonly dependsOn?: readonly { readonly name: string }[];
}

/** Fields that the rules read, after parsing. */
interface SetOfJobs {
  readonly replicatedJobs?: readonly Job[];
  readonly successPolicy?: { readonly jobs?: readonly string[] };
  readonly failurePolicy?: { readonly rules?: readonly { readonly jobs?: readonly string[] }[] };
  readonly coordinator?: { readonly job: string; readonly replica: number; readonly shard: number };
}

const setOf = (self: Self) => self as SetOfJobs;
const jobsOf = (self: Self): readonly Job[] => setOf(self).replicatedJobs ?? [];
const isKnown = (name: string) => `self.replicatedJobs.exists(j, j.name == ${name})`;

/** Maximum number of jobs of a set; the CEL cost limit of the API server is the bound. */
export const maxJobs = 16;

/** Maximum number of shards of all jobs of a set. */
const maxShards = 10000;

/** Rules across the fields of one job of a set. */
export const replicatedJobRules: readonly ValidationRule[] = [
  {
    name: 'job-max-failed-shards',
    cel: '!has(self.maxFailedShards) || self.maxFailedShards <= self.shards',
    fieldPath: ['maxFailedShards'],
    reason: 'must not exceed the number of shards',
    remedy: 'use at most the number of shards, or omit it',
    code: 'invalid-combination',
  },
];

/** Fields of a set with one template, each with its condition in CEL. */
const singleFields: readonly (readonly [path: readonly string[], isUnset: string])[] = [
  [['template'], '!has(self.template)'],
  [['shards'], 'self.shards == 1'],
  [['parallelism'], '!has(self.parallelism)'],
  [['overrides'], '!has(self.overrides)'],
  [['configTemplates'], '!has(self.configTemplates)'],
  [['volumeClaimTemplates'], '!has(self.volumeClaimTemplates)'],
  [['successPolicy', 'shards'], '!has(self.successPolicy) || !has(self.successPolicy.shards)'],
  [['successPolicy', 'count'], '!has(self.successPolicy) || !has(self.successPolicy.count)'],
  [['failurePolicy', 'maxFailedShards'], '!has(self.failurePolicy) || !has(self.failurePolicy.maxFailedShards)'],
];

/** Fields of a set with several jobs, each with its condition in CEL. */
const jobFields: readonly (readonly [path: readonly string[], isUnset: string])[] = [
  [['successPolicy', 'operator'], '!has(self.successPolicy) || !has(self.successPolicy.operator)'],
  [['successPolicy', 'jobs'], '!has(self.successPolicy) || !has(self.successPolicy.jobs)'],
  [['failurePolicy', 'rules'], '!has(self.failurePolicy) || !has(self.failurePolicy.rules)'],
  [['coordinator'], '!has(self.coordinator)'],
];

const ruleName = (path: readonly string[], suffix: string): string =>
  `${path.join('-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${suffix}`;

/** Rules that separate a set with one template from a set with several jobs. */
const formRules: readonly ValidationRule[] = [
  {
    name: 'template-or-jobs',
    cel: 'has(self.template) || has(self.replicatedJobs)',
    fieldPath: ['template'],
    reason: 'is missing',
    remedy: 'set template for one job, or replicatedJobs for several',
    code: 'required',
  },
  ...singleFields.map(([path, isUnset]): ValidationRule => ({
    name: ruleName(path, 'without-jobs'),
    cel: `!has(self.replicatedJobs) || ${isUnset}`,
    fieldPath: path,
    reason: 'cannot be combined with replicatedJobs',
    remedy: path[0] === 'successPolicy' ? 'use operator and jobs' : 'set it in the entries of replicatedJobs',
    code: 'invalid-combination',
  })),
  ...jobFields.map(([path, isUnset]): ValidationRule => ({
    name: ruleName(path, 'with-jobs'),
    cel: `has(self.replicatedJobs) || ${isUnset}`,
    fieldPath: path,
    reason: 'requires replicatedJobs',
    remedy: 'set replicatedJobs instead of template, or remove it',
    code: 'invalid-combination',
  })),
];

/** Rules across the jobs of a set. */
export const jobsOfSetRules: readonly ValidationRule[] = [
  ...formRules,
  {
    name: 'depends-on-known',
    cel: `!has(self.replicatedJobs) || self.replicatedJobs.all(o, !has(o.dependsOn) || o.dependsOn.all(d, ${isKnown('d.name')}))`,
    fieldPath: ['replicatedJobs'],
    find: (self) => dependencies(self, (at) => at < 0),
    reason: 'must be the name of another job of replicatedJobs',
    remedy: 'use the name of an earlier entry',
    code: 'unknown-reference',
  },
  {
    name: 'depends-on-order',
    // The API server knows the size of this list for its cost limit, but not that of a list of names.
    cel: '!has(self.replicatedJobs) || self.replicatedJobs.all(o, !has(o.dependsOn) || o.dependsOn.all(d, self.replicatedJobs.all(j, j.name != d.name || self.replicatedJobs.indexOf(j) < self.replicatedJobs.indexOf(o))))',
    fieldPath: ['replicatedJobs'],
    find: (self) => dependencies(self, (at, own) => at >= own),
    reason: 'must be the name of an earlier entry, so that no job waits for itself',
    remedy: 'list each job after those in its dependsOn',
    code: 'invalid-combination',
  },
  {
    name: 'success-jobs-known',
    cel: `!has(self.replicatedJobs) || !has(self.successPolicy) || !has(self.successPolicy.jobs) || self.successPolicy.jobs.all(n, ${isKnown('n')})`,
    fieldPath: ['successPolicy', 'jobs'],
    find: (self) => unknownJobs(self, setOf(self).successPolicy?.jobs, ['successPolicy', 'jobs']),
    reason: 'must be the name of a job of replicatedJobs',
    remedy: 'use names of replicatedJobs',
    code: 'unknown-reference',
  },
  {
    name: 'failure-jobs-known',
    cel: `!has(self.replicatedJobs) || !has(self.failurePolicy) || !has(self.failurePolicy.rules) || self.failurePolicy.rules.all(r, !has(r.jobs) || r.jobs.all(n, ${isKnown('n')}))`,
    fieldPath: ['failurePolicy', 'rules'],
    find: (self) =>
      (setOf(self).failurePolicy?.rules ?? []).flatMap(({ jobs }, at) =>
        unknownJobs(self, jobs, ['failurePolicy', 'rules', at, 'jobs']),
      ),
    reason: 'must be the name of a job of replicatedJobs',
    remedy: 'use names of replicatedJobs',
    code: 'unknown-reference',
  },
  {
    name: 'coordinator-known',
    cel: '!has(self.replicatedJobs) || !has(self.coordinator) || self.replicatedJobs.exists(j, j.name == self.coordinator.job && self.coordinator.replica < j.replicas && self.coordinator.shard < j.shards)',
    fieldPath: ['coordinator'],
    find: unknownCoordinator,
    reason: 'must be a shard of a job of replicatedJobs',
    remedy: 'use the name of a job, a replica below its replicas and a shard below its shards',
    code: 'unknown-reference',
  },
  {
    name: 'shards-of-all-jobs',
    cel: `!has(self.replicatedJobs) || self.replicatedJobs.map(j, j.replicas * j.shards).sum() <= ${maxShards}`,
    fieldPath: ['replicatedJobs'],
    find: (self) =>
      jobsOf(self).reduce((sum, { replicas, shards }) => sum + replicas * shards, 0) > maxShards
        ? [['replicatedJobs']]
        : [],
    reason: `must have at most ${maxShards} shards in total (replicas times shards of all jobs)`,
    remedy: 'use fewer replicas or shards, or several job sets',
    code: 'out-of-range',
  },
];

/** Returns the dependencies for whose position in the list, and that of their job, a condition holds. */
function dependencies(self: Self, isWrong: (at: number, own: number) => boolean): RuleViolation[] {
  const names = jobsOf(self).map(({ name }) => name);
  return jobsOf(self).flatMap(({ dependsOn = [] }, own) =>
    dependsOn.flatMap(({ name: value }, index) =>
      isWrong(names.indexOf(value), own) ? [{ path: ['replicatedJobs', own, 'dependsOn', index, 'name'], value }] : [],
    ),
  );
}

function unknownJobs(self: Self, jobs: readonly string[] | undefined, path: FieldPath): RuleViolation[] {
  const known = jobsOf(self).map(({ name }) => name);
  if (known.length === 0) return [];
  return (jobs ?? []).flatMap((value, index) => (known.includes(value) ? [] : [{ path: [...path, index], value }]));
}

function unknownCoordinator(self: Self): RuleViolation[] {
  const { coordinator, replicatedJobs } = setOf(self);
  if (!coordinator || !replicatedJobs) return [];
  const job = replicatedJobs.find(({ name }) => name === coordinator.job);
  if (!job) return [{ path: ['coordinator', 'job'], value: coordinator.job }];
  return [
    ...(coordinator.replica < job.replicas ? [] : [{ path: ['coordinator', 'replica'], value: coordinator.replica }]),
    ...(coordinator.shard < job.shards ? [] : [{ path: ['coordinator', 'shard'], value: coordinator.shard }]),
  ];
}
