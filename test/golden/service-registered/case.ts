import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'pods register themselves if the Platform sets the image and the ensemble',
  expectations: {
    'the registrar runs with the image of the Platform': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            initContainers: expect.arrayContaining([
              expect.objectContaining({
                name: 'pinion-traffic',
                image: 'registry.example.com/pinion/registrar:1.0.0',
                restartPolicy: 'Always',
              }),
            ]) as unknown,
          },
        },
      }),
    'it has the ensemble and its settings': (objects) => {
      const text = JSON.stringify(only(objects, 'Deployment').spec);
      expect(text).toContain('zk1.example.com:2181');
      expect(text).toContain('ads-v2');
    },
  },
} satisfies GoldenCase;
