import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a name of 200 characters',
  expectations: {
    'every name fits, and references still match': (objects) => {
      for (const { metadata } of objects) expect(metadata.name.length).toBeLessThanOrEqual(63);
      const { name } = only(objects, 'Deployment').metadata;
      expect(only(objects, 'HorizontalPodAutoscaler').spec).toMatchObject({ scaleTargetRef: { name } });
      expect(only(objects, 'Deployment').spec).toMatchObject({
        selector: { matchLabels: { 'pinterest.com/workload': name } },
      });
    },
    'the host name fits into one label': (objects) =>
      expect(
        (only(objects, 'Ingress').spec as { rules: { host: string }[] }).rules[0]?.host.split('.')[0]?.length,
      ).toBe(63),
    'a peer is selected by the same shortened label': (objects) =>
      expect(JSON.stringify(only(objects, 'NetworkPolicy').spec)).toContain(only(objects, 'Deployment').metadata.name),
  },
} satisfies GoldenCase;
