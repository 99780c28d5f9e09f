import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a name too long for Kubernetes suffixes',
  expectations: {
    'the label with the hash of a revision still fits into 63 characters': (objects) =>
      expect(`${only(objects, 'StatefulSet').metadata.name}-5d8f7b9c64`.length).toBeLessThanOrEqual(63),
    'its Services have different names': (objects) => {
      const names = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
      expect(new Set(names).size).toBe(2);
      for (const name of names) expect(name.length).toBeLessThanOrEqual(63);
    },
    'the StatefulSet names its own headless Service': (objects) => {
      const { serviceName } = only(objects, 'StatefulSet').spec as { serviceName: string };
      expect(only(objects, 'Service', serviceName).spec).toMatchObject({ clusterIP: 'None' });
    },
  },
} satisfies GoldenCase;
