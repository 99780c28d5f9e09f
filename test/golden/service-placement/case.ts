import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'placement on a pool in two zones, evenly spread',
  expectations: {
    'it tolerates the taints of its pool and of its tier': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            nodeSelector: { 'example.com/pool': 'highmem' },
            tolerations: [{ key: 'example.com/highmem' }, { key: 'example.com/spot' }],
          },
        },
      }),
    'it runs in its zones only': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{ matchExpressions: [{ values: ['us-east-1a', 'us-east-1b'] }] }],
                },
              },
            },
          },
        },
      }),
    "the spread across zones is required, and the user's constraint for hosts takes precedence": (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            topologySpreadConstraints: [
              {
                topologyKey: 'topology.kubernetes.io/zone',
                whenUnsatisfiable: 'DoNotSchedule',
                nodeTaintsPolicy: 'Honor',
                maxSkew: 2,
              },
              { topologyKey: 'kubernetes.io/hostname', maxSkew: 3 },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
