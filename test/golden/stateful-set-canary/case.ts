import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a new version goes to the last two members first',
  expectations: {
    'members below the partition keep the old version': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 10 } },
        minReadySeconds: 60,
        revisionHistoryLimit: 3,
      }),
    'however many members there are, a drain takes one at a time': (objects) =>
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'IfHealthyBudget',
      }),
    'without volumes there is no group for them': (objects) => {
      expect(only(objects, 'StatefulSet').spec).not.toHaveProperty('template.spec.securityContext.fsGroup');
      expect(only(objects, 'StatefulSet').spec).not.toHaveProperty('volumeClaimTemplates');
    },
  },
} satisfies GoldenCase;
