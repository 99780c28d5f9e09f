import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'shards with separate Jobs have the same host names as those of one Job',
  expectations: {
    'each pod sets its own host name': (objects) =>
      [0, 1].forEach((index) =>
        expect(only(objects, 'Job', `shuffle-${index}`).spec).toMatchObject({
          suspend: true,
          template: { spec: { hostname: `shuffle-${index}`, subdomain: 'shuffle' } },
        }),
      ),
    'they are spread across all pods of the set': (objects) =>
      expect(only(objects, 'Job', 'shuffle-0').spec).toMatchObject({
        template: {
          spec: {
            topologySpreadConstraints: [
              { labelSelector: { matchLabels: { 'pinterest.com/kind': 'PinterestJobSet', 'pinterest.com/workload': 'shuffle' } } },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
