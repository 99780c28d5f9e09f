import { checkNative } from '../../../lib/api/native';
import { formatPath, type Problem } from '../../../lib/api/problem';

function problemsOf(type: Parameters<typeof checkNative>[0], value: unknown): string[] {
  const problems: Problem[] = [];
  checkNative(type, value, ['spec'], (problem) => problems.push(problem));
  return problems.map(({ code, path }) => `${code} ${formatPath(path)}`);
}

test('every structural problem of a pod comes with its own path', () => {
  const container = {
    name: 'a',
    image: 'x',
    imag: 'x',
    env: [{ name: 'A', value: 5 }, { name: 'A' }],
    ports: [{ containerPort: '80' }],
  };
  expect(problemsOf('PodSpec', { containers: [container], volumes: {}, dnsPolicy: 'none' })).toEqual([
    'unknown-field spec.containers[0].imag',
    'wrong-type spec.containers[0].env[0].value',
    'duplicate spec.containers[0].env[1].name',
    'wrong-type spec.containers[0].ports[0].containerPort',
    'wrong-type spec.volumes',
    'not-one-of spec.dnsPolicy',
  ]);
});
