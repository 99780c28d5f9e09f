import { isUnknownUserAgent, normalizeUserAgent } from '../../../lib/operations';

test.each([
  ['kubectl/v1.36.3 (linux/amd64) kubernetes/2bf0fc8', 'kubectl', false],
  [
    'kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/2bf0fc8/leader-election',
    'kube-controller-manager',
    false,
  ],
  ['cart-7f9c2b4d1e/1.0', 'cart-*', false],
  ['job-0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d', 'job-*', false],
  ['agent-20260301100000 x', 'agent-*', false],
  ['', '(none)', true],
  ['  ', '(none)', true],
  ['\u0000evil', '(none)', true],
  ['Go-http-client/2.0', 'Go-http-client', true],
  ['python-requests/2.32.0', 'python-requests', true],
  ['OpenAPI-Generator/35.0.0/python', 'OpenAPI-Generator', true],
  ['main/v0.0.0 (linux/amd64) kubernetes/$Format', 'main', true],
  ['__debug_bin1234567/v0.0.0 (linux/amd64)', '__debug_bin*', true],
  ['x'.repeat(1000), `${'x'.repeat(29)}-qqigsijuji`, false],
])('%s is the program %s, unknown: %s', (text, program, isUnknown) => {
  expect(normalizeUserAgent(text)).toBe(program);
  expect(isUnknownUserAgent(program)).toBe(isUnknown);
});
