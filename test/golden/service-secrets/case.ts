import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'secrets as variables and as files',
  expectations: {
    'variables are keys of secrets': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              {
                env: expect.arrayContaining([
                  { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'checkout-db', key: 'password' } } },
                  {
                    name: 'FEATURE_KEY',
                    valueFrom: { secretKeyRef: { name: 'features', key: 'key', optional: true } },
                  },
                ]) as unknown,
              },
            ],
          },
        },
      }),
    'files are read-only': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            containers: [{ volumeMounts: [{ mountPath: '/etc/checkout/tls', readOnly: true }] }],
            volumes: [{ secret: { secretName: 'checkout-tls' } }],
          },
        },
      }),
    'a single replica has no disruption budget': (objects) =>
      expect(objects.filter(({ kind }) => kind === 'PodDisruptionBudget')).toEqual([]),
  },
} satisfies GoldenCase;
