import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a new version is applied to the last two members first',
  expectations: {
    'members below the partition keep the old version': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 10 } },
        minReadySeconds: 60,
        revisionHistoryLimit: 3,
      }),
    'for any number of members, a drain evicts one at a time': (objects) =>
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'IfHealthyBudget',
      }),
    'without volumes there is no fsGroup': (objects) => {
      expect(only(objects, 'StatefulSet').spec).not.toHaveProperty('template.spec.securityContext.fsGroup');
      expect(only(objects, 'StatefulSet').spec).not.toHaveProperty('volumeClaimTemplates');
    },
  },
} satisfies GoldenCase;
