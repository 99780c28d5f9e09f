import { userAgentProduct } from '../../lib/kube';

test.each([
  ['kubectl/v1.36.3 (linux/amd64) kubernetes/2bf0fc8', 'kubectl'],
  ['OpenAPI-Generator/32.0.0/python', 'OpenAPI-Generator'],
  ['"}\n1', ''],
  ['x'.repeat(100), 'x'.repeat(40)],
])('the product of %p is %p', (userAgent, product) => expect(userAgentProduct(userAgent)).toBe(product));
