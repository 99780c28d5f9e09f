import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'IAM roles by name and by ARN',
  expectations: {
    'a role name is expanded with the account of the Platform': (objects) =>
      expect(JSON.stringify(only(objects, 'Deployment', 'images'))).toContain(
        'arn:aws:iam::123456789012:role/images-reader',
      ),
    'an ARN is kept': (objects) =>
      expect(JSON.stringify(only(objects, 'Deployment', 'thumbnails'))).toContain(
        'arn:aws:iam::999999999999:role/media/thumbnails',
      ),
    'pods have a token for AWS, but none for the API server': (objects) =>
      expect(only(objects, 'Deployment', 'images').spec).toMatchObject({
        template: {
          spec: {
            automountServiceAccountToken: false,
            volumes: [{ projected: { sources: [{ serviceAccountToken: { audience: 'sts.amazonaws.com' } }] } }],
          },
        },
      }),
  },
} satisfies GoldenCase;
