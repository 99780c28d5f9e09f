import { metadataKeys } from '../../../lib/api';
import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a nightly job becomes one CronJob and nothing that serves',
  expectations: {
    'it becomes a CronJob, a ServiceAccount and the files of the runtime': (objects) =>
      expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(['ServiceAccount', 'ConfigMap', 'CronJob'])),
    'the time zone is said, and a run that goes on is not joined by another': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        schedule: '15 3 * * *',
        timeZone: 'America/Los_Angeles',
        concurrencyPolicy: 'Forbid',
      }),
    'everything that runs beside the work ends with it': (objects) => {
      const { jobTemplate } = only(objects, 'CronJob').spec as { jobTemplate: { spec: { template: { spec: { containers: { name: string }[] } } } } };
      expect(jobTemplate.spec.template.spec.containers.map(({ name }) => name)).toEqual(['report']);
    },
    'alerts find how long a run usually takes': (objects) =>
      expect(only(objects, 'CronJob').metadata.annotations).toMatchObject({ [metadataKeys.expectedDuration]: '20m' }),
  },
} satisfies GoldenCase;
