import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a PyTorch master with another template has its own Job',
  expectations: {
    'each Job completes when all of its members have': (objects) => {
      expect(only(objects, 'Job', 'recall-master').spec).toMatchObject({ completions: 1, activeDeadlineSeconds: 43200 });
      expect(only(objects, 'Job', 'recall-worker').spec).toMatchObject({ completions: 2, activeDeadlineSeconds: 43200 });
      expect(JSON.stringify(objects)).not.toContain('successPolicy');
    },
    'both use the master as the endpoint, and torchrun assigns the ranks': (objects) => {
      for (const name of ['recall-master', 'recall-worker']) {
        const text = JSON.stringify(only(objects, 'Job', name));
        expect(text).toContain('{"name":"PET_RDZV_ENDPOINT","value":"recall-master-0:23456"}');
        expect(text).toContain('{"name":"PET_NNODES","value":"3"}');
        expect(text).not.toContain('"RANK"');
      }
    },
  },
} satisfies GoldenCase;
