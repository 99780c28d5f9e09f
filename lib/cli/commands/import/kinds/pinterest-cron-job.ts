import { importedNativeKinds } from './native-kinds';
import { durationOf, fieldsAt, fieldIfSet, numberAt, textAt, type Fields } from '../fields';
import { noteAdder, type KindSource, importedTemplate } from '../kind-source';
import { type KindImport } from './kind-import';
import { type AddNote } from '../note';

/** Import of a CronJob. */
export const cronJobImport: KindImport = {
  nativeKind: importedNativeKinds.PinterestCronJob[0],
  shortName: 'cj',
  specOf: specOfCronJob,
};

function specOfCronJob(source: KindSource): Fields {
  const spec = fieldsAt(source.object, 'spec');
  const job = fieldsAt(spec, 'jobTemplate', 'spec');
  const { template, fields } = importedTemplate(source, { basePath: ['spec', 'jobTemplate', 'spec'] });
  noteChanges(spec, job, noteAdder(source));
  const concurrencyPolicy = textAt(spec, 'concurrencyPolicy') ?? 'Allow';
  const [completions, parallelism] = [numberAt(job, 'completions') ?? 1, numberAt(job, 'parallelism') ?? 1];
  const retries = numberAt(job, 'backoffLimit') ?? 6;
  const [deadline, ttl, startingDeadline] = [
    numberAt(job, 'activeDeadlineSeconds'),
    numberAt(job, 'ttlSecondsAfterFinished'),
    numberAt(spec, 'startingDeadlineSeconds'),
  ];
  const [successful, failed] = [numberAt(spec, 'successfulJobsHistoryLimit'), numberAt(spec, 'failedJobsHistoryLimit')];
  return {
    ...fieldIfSet('schedule', spec['schedule']),
    ...fieldIfSet('timeZone', spec['timeZone']),
    ...(concurrencyPolicy !== 'Forbid' && { concurrencyPolicy }),
    ...(spec['suspend'] === true && { suspend: true }),
    ...(startingDeadline !== undefined && { startingDeadline: durationOf(startingDeadline) }),
    ...fieldIfSet('history', {
      ...(successful !== 3 && fieldIfSet('successful', successful)),
      ...(failed !== 3 && fieldIfSet('failed', failed)),
    }),
    ...(parallelism > 1 && { parallelism }),
    ...(completions > 1 && { completions }),
    ...(retries !== 3 && { retries }),
    ...(deadline !== undefined && { activeDeadline: durationOf(deadline) }),
    ...(ttl !== undefined && { ttlAfterFinished: durationOf(ttl) }),
    ...fieldIfSet('podFailurePolicy', job['podFailurePolicy']),
    ...(job['podReplacementPolicy'] === 'Failed' &&
      job['podFailurePolicy'] === undefined && { podReplacementPolicy: 'Failed' }),
    ...fields,
    template,
  };
}

function noteChanges(spec: Fields, job: Fields, note: AddNote): void {
  if (textAt(spec, 'timeZone') === undefined)
    note(
      'timeZone',
      'was that of the controller manager and is now Etc/UTC; set spec.timeZone if it was a different one',
    );
  if (textAt(job, 'template', 'spec', 'restartPolicy') === 'OnFailure')
    note(
      'jobTemplate.spec.template.spec.restartPolicy',
      'a failed container is now replaced with its pod, at most spec.retries times',
    );
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy', 'managedBy', 'selector'])
    if (job[field] !== undefined)
      note(`jobTemplate.spec.${field}`, 'has no counterpart in a PinterestCronJob; use podFailurePolicy and retries');
}
