import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'runs have an IAM role, files, variables and secrets',
  expectations: {
    'the file is in a ConfigMap whose name changes with its content': (objects) =>
      expect(only(objects, 'ConfigMap')).toMatchObject({ immutable: true, data: { 'etc.export.export.yaml': 'bucket: ledger\n' } }),
    "user variables can refer to the run's name": (objects) => {
      const { jobTemplate } = only(objects, 'CronJob').spec as { jobTemplate: { spec: { template: { spec: { containers: { env: { name: string }[] }[] } } } } };
      const names = jobTemplate.spec.template.spec.containers[0]?.env.map(({ name }) => name) ?? [];
      expect(names.indexOf('PINION_RUN')).toBeLessThan(names.indexOf('RUN_NAME'));
      expect(names).toEqual(expect.arrayContaining(['AWS_ROLE_ARN', 'TOKEN']));
    },
    'no value of a secret appears': (objects) =>
      expect(JSON.stringify(objects)).toContain('"secretKeyRef":{"key":"token","name":"ledger"}'),
  },
} satisfies GoldenCase;
