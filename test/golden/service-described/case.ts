import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'who answers for it, who pays, and where to look',
  expectations: {
    'everything says whose it is': (objects) => {
      for (const { metadata } of objects)
        expect(metadata.labels).toMatchObject({
          'pinterest.com/team': 'home',
          'pinterest.com/cost-center': 'cc-1017',
          'app.kubernetes.io/version': '2026.11.3',
          'example.com/surface': 'home',
        });
    },
    'pages are annotations of the objects and change no pod': (objects) => {
      expect(only(objects, 'Deployment').metadata.annotations).toMatchObject({
        'link.pinterest.com/runbook': 'https://wiki.example.com/homefeed',
      });
      expect(JSON.stringify(only(objects, 'Deployment').spec)).not.toContain('runbook');
    },
    'pods carry its labels and annotations too': (objects) =>
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
