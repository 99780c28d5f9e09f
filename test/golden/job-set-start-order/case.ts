import { type GoldenCase } from '../golden-case';

export default {
  title: 'a job that starts after others are complete or ready, with policies by job',
  needsController: true,
  expectations: {
    'the Jobs are those of a set without order': (objects) => {
      const jobs = objects.filter(({ kind }) => kind === 'Job');
      expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual([
        'tune-data-0',
        'tune-metrics-0',
        'tune-model-0',
        'tune-trainer-0',
      ]);
      expect(jobs.every(({ spec }) => (spec as { activeDeadlineSeconds: number }).activeDeadlineSeconds === 21600)).toBe(true);
    },
  },
} satisfies GoldenCase;
