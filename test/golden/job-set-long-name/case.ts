import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a long name is shortened without conflicts',
  expectations: {
    'every name and every label value has at most 63 characters': (objects) => {
      for (const { metadata } of objects) {
        for (const text of [metadata.name, ...Object.values(metadata.labels ?? {})]) expect(text.length).toBeLessThanOrEqual(63);
      }
    },
    'Jobs and claims still end with the index': (objects) =>
      expect(objects.filter(({ kind }) => kind === 'Job' || kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name.slice(-2))).toEqual([
        '-0',
        '-1',
        '-0',
        '-1',
      ]),
    "the Service has the name of the pods' subdomain": (objects) => {
      const { name } = only(objects, 'Service').metadata;
      expect(only(objects, 'Job', `${name}-0`).spec).toMatchObject({ template: { spec: { subdomain: name, hostname: `${name}-0` } } });
    },
  },
} satisfies GoldenCase;
