import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a single member needs no rendezvous',
  expectations: {
    'there is neither TF_CONFIG nor a Service': (objects) => {
      expect(JSON.stringify(objects)).not.toContain('TF_CONFIG');
      expect(objects.map(({ kind }) => kind)).not.toContain('Service');
    },
    'its claim may be mounted once': (objects) =>
      expect(only(objects, 'PersistentVolumeClaim').spec).toMatchObject({
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
      }),
    'it is suspended, and not retried': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ suspend: true, backoffLimitPerIndex: 0 }),
  },
} satisfies GoldenCase;
