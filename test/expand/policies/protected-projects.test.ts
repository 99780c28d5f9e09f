import { controllerUsers } from '../../../lib/expand';
import { policyVerdict } from './policy-verdict';

const { workloads, platform } = controllerUsers('pinion-controller');
const verdict = (user: string, name: string, operation: 'CREATE' | 'UPDATE' | 'DELETE' = 'CREATE') =>
  policyVerdict('protected-configuration', {
    user,
    resource: 'configmaps',
    operation,
    namespace: 'shop',
    object: { metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'pinion' } } },
  });
const refused = expect.stringContaining('the project is protected');

test.each(['CREATE', 'UPDATE', 'DELETE'] as const)(
  'the controller of the platform may %s the authority of the gateway in a protected project, and no other ConfigMap',
  (operation) => {
    expect(verdict(platform, 'pinion-gateway-ca', operation)).toBeUndefined();
    expect(verdict(platform, 'cart-files', operation)).toEqual(refused);
  },
);

test('the controller of workloads writes the ConfigMaps of a protected project, and members none of its', () => {
  expect(verdict(workloads, 'cart-files')).toBeUndefined();
  expect(verdict('ana', 'cart-files')).toEqual(refused);
  expect(verdict('ana', 'pinion-gateway-ca')).toEqual(refused);
});

test('administrators are those that the namespace names, since the API server knows the Platform late after a restart', () => {
  const ofAna = (groups: readonly string[]) =>
    policyVerdict('protected-configuration', {
      user: 'ana',
      groups,
      resource: 'configmaps',
      operation: 'DELETE',
      namespace: 'shop',
      facts: { 'pinterest.com/administrators': 'oidc:platform' },
      object: { metadata: { name: 'cart-files' } },
    });
  expect([ofAna(['oidc:platform']), ofAna(['system:masters'])]).toEqual([undefined, refused]);
});
