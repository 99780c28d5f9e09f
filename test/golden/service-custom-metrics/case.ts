import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'queues, requests and schedules determine the number of pods',
  expectations: {
    'each metric has a target per pod': (objects) =>
      expect(only(objects, 'HorizontalPodAutoscaler').spec).toMatchObject({
        metrics: [
          { pods: { metric: { name: 'requests_per_second' }, target: { averageValue: '50' } } },
          {
            external: {
              metric: { name: 'queue_lag', selector: { matchLabels: { queue: 'orders' } } },
              target: { averageValue: '1500m' },
            },
          },
          { external: { metric: { name: 'pinion_scheduled_replicas' } } },
        ],
      }),
    'CPU is not a target if other metrics are given': (objects) =>
      expect(JSON.stringify(only(objects, 'HorizontalPodAutoscaler').spec)).not.toContain('"cpu"'),
    'time windows are available to the metrics adapter': (objects) =>
      expect(
        only(objects, 'HorizontalPodAutoscaler').metadata.annotations?.['pinterest.com/scheduled-windows'],
      ).toContain('"replicas":20'),
  },
} satisfies GoldenCase;
