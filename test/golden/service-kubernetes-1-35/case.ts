import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'the oldest supported Kubernetes version',
  expectations: {
    'native sidecars are used there too': (objects) =>
      expect(JSON.stringify(only(objects, 'Deployment').spec)).toContain('"restartPolicy":"Always"'),
    'with eight or more pods, a quarter may be disrupted': (objects) =>
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: '25%' }),
  },
} satisfies GoldenCase;
