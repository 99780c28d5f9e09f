import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'the first TensorFlow worker is the leader without a chief',
  expectations: {
    'the training is complete when worker 0 has succeeded': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ successPolicy: { rules: [{ succeededIndexes: '0' }] } }),
    'members reach each other if the network denies by default': (objects) => {
      const siblings = {
        podSelector: {
          matchLabels: { 'pinterest.com/kind': 'PinterestTrainingJob', 'pinterest.com/workload': 'mirrored' },
        },
      };
      const policy = JSON.stringify(only(objects, 'NetworkPolicy').spec);
      expect(policy).toContain(JSON.stringify({ from: [siblings] }));
      expect(policy).toContain(JSON.stringify({ to: [siblings] }));
    },
    'the index is declared before the variable that refers to it': (objects) => {
      const text = JSON.stringify(only(objects, 'Job'));
      expect(text.indexOf('"name":"PINION_TASK_INDEX"')).toBeGreaterThan(0);
      expect(text.indexOf('"name":"PINION_TASK_INDEX"')).toBeLessThan(text.indexOf('"name":"TF_CONFIG"'));
    },
  },
} satisfies GoldenCase;
