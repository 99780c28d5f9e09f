import { durationOf, fieldIfSet, numberAt, textAt, fieldsAt, type Fields } from './fields';
import { ttlOf } from './job-completion';
import { type AddNote } from './note';
import { noteUnconverted } from './unconverted-fields';

/** Returns the fields of a run from the run policy of Kubeflow. */
export function trainingRunOf(run: Fields, note: AddNote): Fields {
  const path = 'spec.runPolicy';
  const known = ['cleanPodPolicy', 'ttlSecondsAfterFinished', 'activeDeadlineSeconds', 'backoffLimit', 'suspend'];
  noteUnconverted(run, [...known, 'schedulingPolicy'], `${path}.`, note);
  const [deadline, retries] = [numberAt(run, 'activeDeadlineSeconds'), numberAt(run, 'backoffLimit')];
  if (retries !== undefined)
    note(
      `${path}.backoffLimit`,
      `${retries} failures of all members together failed the job; each member now has ${retries} retries of its own`,
    );
  const clean = textAt(run, 'cleanPodPolicy') ?? 'None';
  return {
    ...(clean !== 'Running' && { cleanPodPolicy: clean }),
    ...(retries !== undefined && retries !== 3 && { retries }),
    ...(deadline !== undefined && { activeDeadline: durationOf(deadline) }),
    ...ttlOf(run, path, note),
    ...(run['suspend'] === true && { suspend: true }),
    ...gangOf(fieldsAt(run, 'schedulingPolicy'), `${path}.schedulingPolicy`, note),
  };
}

function gangOf(policy: Fields, path: string, note: AddNote): Fields {
  noteUnconverted(policy, ['minAvailable', 'scheduleTimeoutSeconds'], `${path}.`, note);
  const [minAvailable, timeout] = [numberAt(policy, 'minAvailable'), numberAt(policy, 'scheduleTimeoutSeconds')];
  return minAvailable === undefined && timeout === undefined
    ? {}
    : {
        gang: {
          ...fieldIfSet('minAvailable', minAvailable),
          ...(timeout !== undefined && { timeout: durationOf(timeout) }),
        },
      };
}
