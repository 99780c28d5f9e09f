import { type KubernetesObject } from '../expand';
import { changeOfRunningJob, type ChangedObject } from './object-writes';

/** Returns the objects of a run that the controller writes: a run keeps its Jobs, and a finished one is not changed. */
export function writtenOfRun(
  changed: readonly ChangedObject[],
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
  isRunning: boolean,
): readonly ChangedObject[] {
  const find = (objects: readonly KubernetesObject[], title: string): KubernetesObject | undefined =>
    objects.find(({ kind, metadata }) => `${kind}/${metadata.name}` === title);
  return changed.flatMap((one): ChangedObject[] => {
    const [earlier, later] = [find(before, one.object), find(after, one.object)];
    if (later?.kind !== 'Job' || !earlier) return [one];
    return isRunning ? [{ ...one, change: changeOfRunningJob(earlier, later) }] : [];
  });
}
