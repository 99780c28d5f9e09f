import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a daemon with a long name on a pool without labels',
  expectations: {
    'a pool without labels matches every node, so that no affinity is needed': (objects) =>
      expect(only(objects, 'DaemonSet').spec).not.toHaveProperty('template.spec.affinity'),
    'its own node selector is kept': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { nodeSelector: { 'kubernetes.io/os': 'linux' } } },
      }),
    'its name is shortened with a hash, the same in all objects': (objects) => {
      const names = new Set(objects.map(({ metadata }) => metadata.name));
      expect(names.size).toBe(1);
      for (const name of names) expect(name).toMatch(/^image-puller-of-the-.{0,40}-[0-9a-f]{10}$/);
    },
  },
} satisfies GoldenCase;
