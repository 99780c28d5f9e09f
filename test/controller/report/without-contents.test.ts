import { withoutContents } from '../../../lib/controller/report/without-contents';
import { ApiError } from '../../../lib/kube';

const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'app',
            image: 'registry.example.com/app:1',
            args: ['--key=open-sesame'],
            env: [{ name: 'TOKEN', value: 'se"same-1' }],
          },
        ],
      },
    },
  },
};
const refusal = (message: string) =>
  new ApiError(422, 'Invalid', message, { retryAfter: 5, causes: [{ field: 'spec', message }] });

test('a rejection that quotes variables or arguments is reported without them', () => {
  const quoted = JSON.stringify(object.spec.template);
  const error = withoutContents(
    refusal(`spec.template: Invalid value: ${quoted}: field is immutable`),
    object,
  ) as ApiError;
  expect(error).toMatchObject({
    status: 422,
    reason: 'Invalid',
    details: { retryAfter: 5, causes: [{ field: 'spec' }] },
  });
  expect(JSON.stringify([error.message, error.details])).not.toMatch(/sesame/);
  expect(error.message).toContain('"name":"TOKEN","value":"(not shown)"');
  expect(error.message).toContain('registry.example.com/app:1');
});

test('the lines of a file are not quoted either', () => {
  const files = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cart' },
    data: { 'a.yaml': 'user: me\nkey: sesame\n' },
  };
  const error = withoutContents(refusal('line 2 is no good: key: sesame'), files) as ApiError;
  expect(error.message).toBe('line 2 is no good: (not shown)');
});

test('any other error is returned unchanged', () => {
  const error = refusal('spec.replicas: Invalid value: -1');
  expect(withoutContents(error, object)).toBe(error);
  const other = new Error('se"same-1');
  expect(withoutContents(other, object)).toBe(other);
});
