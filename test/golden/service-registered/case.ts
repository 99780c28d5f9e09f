import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'pods register themselves once the Platform names the image and the ensemble',
  expectations: {
    'the registrar runs with the image that the Platform names': (objects) =>
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
    'it knows the ensemble and what was set': (objects) => {
      const text = JSON.stringify(only(objects, 'Deployment').spec);
      expect(text).toContain('zk1.example.com:2181');
      expect(text).toContain('ads-v2');
    },
  },
} satisfies GoldenCase;
