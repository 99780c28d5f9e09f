import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a suspended cron job starts no runs',
  expectations: {
    'the CronJob is suspended, and its Jobs would not be': (objects) => {
      const { suspend, jobTemplate } = only(objects, 'CronJob').spec as { suspend?: boolean; jobTemplate: { spec: object } };
      expect(suspend).toBe(true);
      expect(jobTemplate.spec).not.toHaveProperty('suspend');
    },
    'a schedule name is expanded to five fields': (objects) => expect(only(objects, 'CronJob').spec).toMatchObject({ schedule: '0 0 * * *', timeZone: 'Europe/Berlin' }),
    'in a run of one pod, a failed index fails the run': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ jobTemplate: { spec: { podFailurePolicy: { rules: [{ action: 'FailJob' }] } } } }),
  },
} satisfies GoldenCase;
