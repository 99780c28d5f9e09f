import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'two containers, an init container and volumes of the user',
  expectations: {
    'its own init container starts after those of the platform': (objects) =>
      expect(
        (
          only(objects, 'Deployment').spec as { template: { spec: { initContainers: { name: string }[] } } }
        ).template.spec.initContainers.at(-1)?.name,
      ).toBe('warm'),
    'every container of the app mounts the configuration': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            containers: ['app', 'chrome'].map((name) => ({
              name,
              env: expect.arrayContaining([{ name: 'MODE', value: 'prod' }]) as unknown,
              volumeMounts: expect.arrayContaining([
                expect.objectContaining({ mountPath: '/etc/renderer/config.json' }),
              ]) as unknown,
            })),
          },
        },
      }),
    'containers without requests get those of the Platform': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              { resources: { requests: { cpu: '2', memory: '1Gi' } } },
              { resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } } },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
