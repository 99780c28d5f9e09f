import { serviceAccountOf, serviceAccountUser } from '../../lib/kube';

test('the user of a service account names its namespace and name', () => {
  const account = { namespace: 'shop', name: 'cart' };
  expect(serviceAccountUser(account)).toBe('system:serviceaccount:shop:cart');
  expect(serviceAccountOf(serviceAccountUser(account))).toEqual(account);
});

test.each([
  'ann@example.com',
  'system:serviceaccount:shop',
  'system:serviceaccount::cart',
  'system:serviceaccount:shop:',
  'system:serviceaccount:shop:cart:more',
  'oidc:system:serviceaccount:shop:cart',
])('%s is no service account', (user) => expect(serviceAccountOf(user)).toBeUndefined());
