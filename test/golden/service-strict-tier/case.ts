import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a tier that demands requests, and gets them',
  expectations: {
    'its pods have the priority of the tier': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({ template: { spec: { priorityClassName: 'critical' } } }),
    'quantities have one form, and the CPU limit that the person gave stays': (objects) =>
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
