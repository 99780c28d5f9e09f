import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'one pod leads, the others wait',
  expectations: {
    'its pods may use one named Lease': (objects) =>
      expect(only(objects, 'Role')['rules']).toEqual([
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          resourceNames: ['scheduler'],
          verbs: ['get', 'update', 'patch'],
        },
      ]),
    'they have the service account token for it': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: { spec: { automountServiceAccountToken: true, serviceAccountName: 'scheduler' } },
      }),
    'no clients reach it: no Service, and no drain': (objects) => {
      expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Deployment']);
      expect(JSON.stringify(objects)).not.toContain('preStop');
    },
  },
} satisfies GoldenCase;
