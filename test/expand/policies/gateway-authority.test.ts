import { controllerUsers } from '../../../lib/expand';
import { policyVerdict } from './policy-verdict';

const { workloads, platform } = controllerUsers('pinion-controller');
const verdict = (user: string, operation: 'CREATE' | 'UPDATE' | 'DELETE') =>
  policyVerdict('gateway-authority', {
    user,
    resource: 'configmaps',
    operation,
    namespace: 'shop',
    object: { metadata: { name: 'pinion-gateway-ca' } },
  });

describe.each(['CREATE', 'UPDATE', 'DELETE'] as const)('%s of the authority of the gateway', (operation) => {
  test.each([platform, 'system:serviceaccount:kube-system:namespace-controller'])('%s may', (user) => {
    expect(verdict(user, operation)).toBeUndefined();
  });

  test.each([
    'ana',
    workloads,
    'system:serviceaccount:shop:deployer',
    'system:serviceaccount:pinion-gateway:pinion-gateway',
  ])('%s may not', (user) => {
    expect(verdict(user, operation)).toContain('pinion-gateway-ca contains the authority of the gateway');
  });
});
