import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'parts that are disabled, configured, sized and given a volume',
  expectations: {
    'a disabled part adds nothing': (objects) =>
      expect(JSON.stringify(objects)).not.toContain('pinion-metrics'),
    'settings and variables apply to the part only': (objects) => {
      const { initContainers, containers } = (
        only(objects, 'Deployment').spec as {
          template: { spec: Record<string, { name: string; env: { name: string; value?: string }[] }[]> };
        }
      ).template.spec;
      const logs = initContainers?.find(({ name }) => name === 'pinion-logs');
      expect(logs?.env).toEqual(
        expect.arrayContaining([
          { name: 'LOG_LEVEL', value: 'debug' },
          { name: 'LOG_FORMAT', value: 'json' },
          { name: 'FLB_HTTP_TIMEOUT', value: '10' },
        ]),
      );
      expect(containers?.[0]?.env.map(({ name }) => name)).not.toContain('FLB_HTTP_TIMEOUT');
    },
    'the part mounts the volume and has the given resources': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            initContainers: expect.arrayContaining([
              expect.objectContaining({
                name: 'pinion-logs',
                resources: { requests: { cpu: '100m', memory: '200Mi' }, limits: { memory: '400Mi' } },
                volumeMounts: expect.arrayContaining([
                  { name: 'audit', mountPath: '/var/log/pinion/audit', readOnly: true },
                ]) as unknown,
              }),
            ]) as unknown,
          },
        },
      }),
  },
} satisfies GoldenCase;
