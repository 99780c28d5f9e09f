import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'the older of the supported versions of Kubernetes',
  expectations: {
    'a native sidecar is one there too': (objects) =>
      expect(JSON.stringify(only(objects, 'Deployment').spec)).toContain('"restartPolicy":"Always"'),
    'from eight pods on a quarter may go': (objects) =>
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: '25%' }),
  },
} satisfies GoldenCase;
