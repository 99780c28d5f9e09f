import { only, type GoldenCase } from '../golden-case';

interface NodeRules {
  readonly template: {
    readonly spec: {
      readonly nodeSelector?: unknown;
      readonly tolerations: readonly { readonly key: string }[];
      readonly affinity: {
        readonly nodeAffinity: {
          readonly requiredDuringSchedulingIgnoredDuringExecution: {
            readonly nodeSelectorTerms: readonly {
              readonly matchExpressions: readonly { readonly key: string; readonly values: readonly string[] }[];
            }[];
          };
        };
      };
    };
  };
}

export default {
  title: 'a daemon on two pools of accelerators',
  expectations: {
    "a node of either pool matches if it also matches the daemon's affinity and zones": (objects) => {
      const { affinity } = (only(objects, 'DaemonSet').spec as NodeRules).template.spec;
      const terms = affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
      expect(terms.map(({ matchExpressions }) => matchExpressions.map(({ key, values }) => `${key} ${values}`))).toEqual([
        ['kubernetes.io/arch amd64', 'example.com/pool gpu', 'topology.kubernetes.io/zone us-east-1a,us-east-1b'],
        [
          'kubernetes.io/arch amd64',
          'example.com/accelerated true',
          'example.com/pool inference',
          'topology.kubernetes.io/zone us-east-1a,us-east-1b',
        ],
      ]);
    },
    'the default pool of the Platform does not restrict it': (objects) =>
      expect((only(objects, 'DaemonSet').spec as NodeRules).template.spec.nodeSelector).toBeUndefined(),
    'it tolerates the taints of its pools, its tier and its own ones, each once': (objects) =>
      expect((only(objects, 'DaemonSet').spec as NodeRules).template.spec.tolerations.map(({ key }) => key)).toEqual([
        'nvidia.com/gpu',
        'example.com/spot',
        'example.com/burn-in',
      ]),
  },
} satisfies GoldenCase;
