import { only, type GoldenCase } from '../golden-case';

interface Template {
  readonly spec: { readonly containers: readonly { readonly env: readonly unknown[] }[] };
}

export default {
  title: 'a driver and two Jobs of workers, each with its own pods and restarts, which know the host name of the driver',
  expectations: {
    'each replica of each job is an Indexed Job of its own': (objects) => {
      const jobs = objects.filter(({ kind }) => kind === 'Job');
      expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['crawl-driver-0', 'crawl-workers-0', 'crawl-workers-1']);
      expect(jobs.map(({ spec }) => (spec as { completions: number }).completions)).toEqual([1, 4, 4]);
    },
    'the coordinator is a host name of the headless Service': (objects) => {
      const [worker] = (only(objects, 'Job', 'crawl-workers-1').spec as { template: Template }).template.spec.containers;
      expect(worker?.env).toContainEqual({ name: 'PINION_COORDINATOR', value: 'crawl-driver-0-0.crawl' });
      expect(only(objects, 'Service').metadata.name).toBe('crawl');
    },
  },
} satisfies GoldenCase;
