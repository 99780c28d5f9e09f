import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'owner, cost center and links',
  expectations: {
    'all objects name their owner': (objects) => {
      for (const { metadata } of objects)
        expect(metadata.labels).toMatchObject({
          'pinterest.com/team': 'home',
          'pinterest.com/cost-center': 'cc-1017',
          'app.kubernetes.io/version': '2026.11.3',
          'example.com/surface': 'home',
        });
    },
    'links are annotations of the objects and do not change pods': (objects) => {
      expect(only(objects, 'Deployment').metadata.annotations).toMatchObject({
        'link.pinterest.com/runbook': 'https://wiki.example.com/homefeed',
      });
      expect(JSON.stringify(only(objects, 'Deployment').spec)).not.toContain('runbook');
    },
    "pods also have the workload's labels and annotations": (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          metadata: {
            labels: { 'example.com/surface': 'home' },
            annotations: { 'example.com/reviewed-by': 'security', 'pinterest.com/owner': 'home' },
          },
        },
      }),
  },
} satisfies GoldenCase;
