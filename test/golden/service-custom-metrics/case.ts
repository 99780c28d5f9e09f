import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'queues, requests and the clock decide the number of pods',
  expectations: {
    'each metric says how much of it a pod can take': (objects) =>
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
    'CPU is no target where others are given': (objects) =>
      expect(JSON.stringify(only(objects, 'HorizontalPodAutoscaler').spec)).not.toContain('"cpu"'),
    'windows are there for the adapter to read': (objects) =>
      expect(
        only(objects, 'HorizontalPodAutoscaler').metadata.annotations?.['pinterest.com/scheduled-windows'],
      ).toContain('"replicas":20'),
  },
} satisfies GoldenCase;
