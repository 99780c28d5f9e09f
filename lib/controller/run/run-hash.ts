import { isPlainObject, type RunKind, type Workload } from '../../api';
import { writtenHash } from '../../expand';

/** Fields of a spec that do not affect its work: changing one does not start another run. */
const nonWorkFields: ReadonlySet<string> = new Set([
  'suspend',
  'parallelism',
  'ttlAfterFinished',
  'activeDeadline',
  'links',
  'labels',
  'annotations',
  'team',
  'costCenter',
  'access',
  'adopt',
  'allowLoss',
  'claimRetention',
  'cleanPodPolicy',
  'gang',
]);

const hashes = new WeakMap<object, string>();

/**
 * Hashes the work of a job set or a training job.
 *
 * Computed from the written spec alone, without defaults: neither another profile nor a newer library version with
 * more fields restarts a finished job.
 */
export function runHash(workload: Workload<RunKind>): string {
  let hash = hashes.get(workload.spec);
  if (hash === undefined) {
    hash = writtenHash(workload.kind, workOf(workload));
    hashes.set(workload.spec, hash);
  }
  return hash;
}

type Fields = Readonly<Record<string, unknown>>;

const onlyWork = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !nonWorkFields.has(field)));

function workOf({ spec }: Workload<RunKind>): Fields {
  const { failurePolicy, successPolicy, replicatedJobs, ...rest } = spec as Fields;
  // These are read when a Job ends; they do not change the work.
  const { maxRestarts: _, rules: __, ...policy } = (failurePolicy ?? {}) as Fields;
  const { operator: ___, jobs: ____, ...success } = (successPolicy ?? {}) as Fields;
  return {
    ...onlyWork(rest),
    ...(isPlainObject(successPolicy)
      ? Object.keys(success).length > 0 && { successPolicy: success }
      : { successPolicy }),
    ...(Array.isArray(replicatedJobs) && { replicatedJobs: (replicatedJobs as Fields[]).map(onlyWork) }),
    failurePolicy: policy,
  };
}
