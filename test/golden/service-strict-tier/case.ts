import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a tier that requires requests',
  expectations: {
    'its pods have the priority of the tier': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({ template: { spec: { priorityClassName: 'critical' } } }),
    "quantities are canonical, and the user's CPU limit is kept": (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              { resources: { requests: { cpu: '1500m', memory: '1536Mi' }, limits: { cpu: '4', memory: '2Gi' } } },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
