import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'one pod leads, the others wait',
  expectations: {
    'its pods may hold one Lease, by its name': (objects) =>
      expect(only(objects, 'Role')['rules']).toEqual([
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          resourceNames: ['scheduler'],
          verbs: ['get', 'update', 'patch'],
        },
      ]),
    'they have the token that this takes': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: { spec: { automountServiceAccountToken: true, serviceAccountName: 'scheduler' } },
      }),
    'nobody reaches it: no Service, and no drain': (objects) => {
      expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Deployment']);
      expect(JSON.stringify(objects)).not.toContain('preStop');
    },
  },
} satisfies GoldenCase;
