import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'the number of pods follows the load of one container',
  expectations: {
    'only the autoscaler sets the number of pods': (objects) =>
      expect(only(objects, 'Deployment').spec).not.toHaveProperty('replicas'),
    'CPU and memory of the app count, not those of sidecars': (objects) =>
      expect(only(objects, 'HorizontalPodAutoscaler').spec).toMatchObject({
        metrics: [
          { containerResource: { container: 'app', name: 'cpu', target: { averageUtilization: 70 } } },
          { containerResource: { name: 'memory' } },
        ],
      }),
    'it scales down slowly, and a drain always leaves three quarters of the pods': (objects) => {
      expect(only(objects, 'HorizontalPodAutoscaler').spec).toMatchObject({
        behavior: { scaleDown: { stabilizationWindowSeconds: 900, policies: [{ value: 10, periodSeconds: 60 }] } },
      });
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: '25%' });
    },
  },
} satisfies GoldenCase;
