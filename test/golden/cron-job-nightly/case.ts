import { metadataKeys } from '../../../lib/api';
import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a nightly job expands to one CronJob without Services',
  expectations: {
    'it expands to a CronJob, a ServiceAccount and the files of the runtime': (objects) =>
      expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(['ServiceAccount', 'ConfigMap', 'CronJob'])),
    'the time zone is explicit, and runs do not overlap': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        schedule: '15 3 * * *',
        timeZone: 'America/Los_Angeles',
        concurrencyPolicy: 'Forbid',
      }),
    'all sidecars end with the app': (objects) => {
      const { jobTemplate } = only(objects, 'CronJob').spec as { jobTemplate: { spec: { template: { spec: { containers: { name: string }[] } } } } };
      expect(jobTemplate.spec.template.spec.containers.map(({ name }) => name)).toEqual(['report']);
    },
    'alerts can read the expected duration of a run': (objects) =>
      expect(only(objects, 'CronJob').metadata.annotations).toMatchObject({ [metadataKeys.expectedDuration]: '20m' }),
  },
} satisfies GoldenCase;
