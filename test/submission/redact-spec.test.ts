import fc from 'fast-check';
import { redactSpec } from '../../lib/submission/engine/redact-spec';

const container = {
  name: 'app',
  image: 'registry.example.com/app:1.0.0',
  command: ['serve', '--key=k1'],
  env: [{ name: 'GREETING', value: 'hello' }],
};

test('values of variables, files and arguments are redacted, names and all other fields are shown', () => {
  const spec = {
    replicas: 3,
    config: { env: { MODE: 'live', PIN: 1234 }, files: { '/etc/app.conf': 'x=1' } },
    template: { metadata: { annotations: { note: 'text' } }, spec: { containers: [container] } },
  };
  const redacted = '(not shown)';
  expect(redactSpec(spec)).toEqual({
    replicas: 3,
    config: { env: { MODE: redacted, PIN: redacted }, files: { '/etc/app.conf': redacted } },
    template: {
      metadata: { annotations: { note: redacted } },
      spec: {
        containers: [{ ...container, command: [redacted, redacted], env: [{ name: 'GREETING', value: redacted }] }],
      },
    },
  });
});

test('nothing in a variable is shown, regardless of its name and depth', () => {
  const path = fc.array(fc.oneof(fc.constantFrom('name', 'template', 'env'), fc.string()), { maxLength: 4 });
  fc.assert(
    fc.property(path, path, fc.string({ minLength: 1 }), (above, below, variable) => {
      const secret = 'planted-marker';
      const steps = [...above, 'env', ...below, variable];
      const value = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), secret);
      expect(JSON.stringify(redactSpec(value))).not.toContain(secret);
    }),
  );
});
