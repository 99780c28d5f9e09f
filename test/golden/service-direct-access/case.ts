import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'direct access, in a project that the Platform lists',
  expectations: {
    'Kubernetes mounts a token for the API server, as for manifests with true': (objects) => {
      for (const name of ['runner', 'operator'])
        expect(only(objects, 'Deployment', name).spec).toMatchObject({
          template: { spec: { automountServiceAccountToken: true } },
        });
    },
  },
} satisfies GoldenCase;
