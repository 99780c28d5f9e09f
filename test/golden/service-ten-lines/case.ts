import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'ten lines expand to everything that a service needs',
  expectations: {
    'it expands to a Deployment, a Service, an Ingress, a ConfigMap, and its policies': (objects) =>
      expect(new Set(objects.map(({ kind }) => kind))).toEqual(
        new Set(['ServiceAccount', 'ConfigMap', 'PodDisruptionBudget', 'Service', 'Deployment', 'Ingress']),
      ),
    'its host name is derived from service, project and domain': (objects) =>
      expect(only(objects, 'Ingress').spec).toMatchObject({
        rules: [{ host: 'example.exampleproject.apps.example.com' }],
      }),
  },
} satisfies GoldenCase;
