import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an elastic PyTorch job continues while enough members are left',
  expectations: {
    'the Job survives failures of all members beyond the minimum': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ completions: 4, maxFailedIndexes: 2 }),
    'torchrun uses c10d for the rendezvous, and no index is a rank': (objects) => {
      const text = JSON.stringify(only(objects, 'Job'));
      expect(text).toContain('{"name":"PET_NNODES","value":"2:8"}');
      expect(text).toContain('{"name":"PET_NPROC_PER_NODE","value":"8"}');
      expect(text).not.toContain('"RANK"');
    },
    'member 0 is the rendezvous endpoint, by its host name': (objects) => {
      expect(JSON.stringify(only(objects, 'Job'))).toContain('{"name":"PET_RDZV_ENDPOINT","value":"lm-0:23456"}');
      expect(only(objects, 'Service', 'lm-0').spec).toMatchObject({
        clusterIP: 'None',
        selector: { 'batch.kubernetes.io/job-completion-index': '0' },
      });
    },
  },
} satisfies GoldenCase;
