import { numberAt, type Fields } from './fields';
import { noteRestarts } from './job-completion';
import { type AddNote } from './note';

/** Returns the number of pods of a Job that must succeed. */
export const podsOf = (job: Fields): number => numberAt(job, 'completions') ?? numberAt(job, 'parallelism') ?? 1;

/**
 * Returns the number of shards, and how many run at the same time, of a number of equal Jobs. `path` is that of the
 * Job's spec in the notes, `target` that of the object that gets its success policy.
 */
export function shardsOf(job: Fields, replicas: number, path: string, target: string, note: AddNote): Fields {
  const [completions, parallelism = 1] = [numberAt(job, 'completions'), numberAt(job, 'parallelism')];
  noteRestarts(job, path, note);
  if (completions === undefined && parallelism > 1)
    note(
      `${path}.parallelism`,
      `${parallelism} pods took work from a queue, and the Job was complete when one succeeded; it now has ${parallelism} shards, which all must succeed: set ${target}.successPolicy.count to 1 if one is enough`,
    );
  const shards = podsOf(job) * replicas;
  const concurrent = parallelism * replicas;
  return { ...(shards > 1 && { shards }), ...(concurrent < shards && { parallelism: concurrent }) };
}
