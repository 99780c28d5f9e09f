import { type GoldenCase } from '../golden-case';

interface Affinity {
  readonly podAffinity: Terms;
  readonly podAntiAffinity: Terms;
}

interface Terms {
  readonly requiredDuringSchedulingIgnoredDuringExecution: readonly {
    readonly topologyKey: string;
    readonly labelSelector: { readonly matchExpressions: readonly { readonly values?: readonly string[] }[] };
  }[];
}

export default {
  title: 'three equal Jobs, each in a rack of its own',
  expectations: {
    'each Job attracts its own pods and repels those of all others': (objects) => {
      const jobs = objects.filter(({ kind }) => kind === 'Job');
      const keys = jobs.map(({ spec }) => {
        const { metadata, spec: pod } = (spec as { template: { metadata: { labels: Record<string, string> }; spec: { affinity: Affinity } } }).template;
        const key = metadata.labels['pinterest.com/job-key'];
        for (const { requiredDuringSchedulingIgnoredDuringExecution: terms } of [pod.affinity.podAffinity, pod.affinity.podAntiAffinity]) {
          expect(terms.map(({ topologyKey }) => topologyKey)).toEqual(['example.com/rack']);
          expect(terms[0]?.labelSelector.matchExpressions.at(-1)?.values).toEqual([key]);
        }
        return key;
      });
      expect(new Set(keys).size).toBe(3);
    },
  },
} satisfies GoldenCase;
