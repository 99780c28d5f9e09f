import { userAgentProduct } from '../../lib/kube';

test.each([
  ['kubectl/v1.36.3 (linux/amd64) kubernetes/2bf0fc8', 'kubectl'],
  ['OpenAPI-Generator/32.0.0/python', 'OpenAPI-Generator'],
  ['"}\n1', ''],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['x'.repeat(100), `${'x'.repeat(29)}-gpusrmurso`],
])('the product of %p is %p', (userAgent, product) => expect(userAgentProduct(userAgent)).toBe(product));

test('long products stay apart, one by one and through a gateway, and those of one program do not', () => {
  const of = (end: string): string => userAgentProduct(`${'company-controller-'.repeat(3)}${end}/1.0`);
  expect(of('one')).not.toBe(of('two'));
  expect(of('one')).toHaveLength(40);
  expect(userAgentProduct(of('one'))).toBe(of('one'));
  expect(of('0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d')).toBe(of('9e0f1a2b-4f50-4a6b-8c7d-0b1c2d3e4f5a'));
});
