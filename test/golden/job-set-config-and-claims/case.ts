import { type GoldenCase } from '../golden-case';

export default {
  title: 'config and claims of its own for each shard',
  expectations: {
    'each shard has a Job, a ConfigMap and two claims, all labeled with its index': (objects) => {
      for (const index of ['0', '1']) {
        const own = objects.filter(({ metadata }) => metadata.labels?.['pinterest.com/member'] === index);
        expect(own.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Job', 'PersistentVolumeClaim', 'PersistentVolumeClaim']);
      }
    },
    'only the placeholders of the shard are replaced, and two dollar signs escape them': (objects) => {
      const [first] = objects.filter(({ kind }) => kind === 'ConfigMap') as unknown as { data: Record<string, string> }[];
      expect(first?.data['plan.yaml']).toBe(
        'part: 0\nof: 2\nhome: $(HOME)\nliterally: $(PINION_SHARD_INDEX)\n',
      );
    },
    'claims are named by claim, workload and index, so that the next run finds them': (objects) =>
      expect(
        objects.flatMap(({ kind, metadata, spec }) =>
          kind === 'PersistentVolumeClaim'
            ? [[metadata.name, (spec as { resources: { requests: { storage: string } } }).resources.requests.storage]]
            : [],
        ),
      ).toEqual([
        ['index-reindex-0', '20Gi'],
        ['index-reindex-1', '20Gi'],
        ['scratch-reindex-0', '100Gi'],
        ['scratch-reindex-1', '400Gi'],
      ]),
  },
} satisfies GoldenCase;
