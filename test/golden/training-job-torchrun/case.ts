import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'torchrun starts several processes per member and assigns their ranks',
  expectations: {
    'members have a node rank and no rank': (objects) => {
      const text = JSON.stringify(only(objects, 'Job'));
      expect(text).toContain('"PET_NODE_RANK"');
      expect(text).toContain('{"name":"PET_NPROC_PER_NODE","value":"4"}');
      expect(text).not.toContain('"RANK"');
      expect(text).not.toContain('"WORLD_SIZE"');
    },
    "the user's failure rule precedes the platform's": (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        podFailurePolicy: { rules: [{ action: 'FailJob' }, { action: 'Ignore' }] },
      }),
    'a default memory limit includes the shared memory': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        template: { spec: { containers: [{ resources: { limits: { memory: '8448Mi' } } }] } },
      }),
  },
} satisfies GoldenCase;
