import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a suspended cron job starts nothing',
  expectations: {
    'the CronJob waits, and its runs would not': (objects) => {
      const { suspend, jobTemplate } = only(objects, 'CronJob').spec as { suspend?: boolean; jobTemplate: { spec: object } };
      expect(suspend).toBe(true);
      expect(jobTemplate.spec).not.toHaveProperty('suspend');
    },
    'a name for a schedule is written as five fields': (objects) => expect(only(objects, 'CronJob').spec).toMatchObject({ schedule: '0 0 * * *', timeZone: 'Europe/Berlin' }),
    'with one pod to a run, failing the index fails the run': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ jobTemplate: { spec: { podFailurePolicy: { rules: [{ action: 'FailJob' }] } } } }),
  },
} satisfies GoldenCase;
