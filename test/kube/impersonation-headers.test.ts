import fc from 'fast-check';
import { impersonationError, impersonationHeaders } from '../../lib/kube/transport/impersonation-headers';

const ann = { user: 'ann', groups: [], extra: {} };

test.each([
  ['user', { ...ann, user: 'a\u0000' }],
  ['user', { ...ann, user: 'a\r\nimpersonate-group: system:masters' }],
  ['uid', { ...ann, uid: ' 7' }],
  ['group', { ...ann, groups: ['dev', 'ops\u007f'] }],
  ['extra scopes', { ...ann, extra: { scopes: ['a', 'b '] } }],
])('a %s that a header would change cannot be impersonated', (field, caller) => {
  expect(impersonationError(caller)).toMatch(new RegExp(`^${field} ".*" cannot be impersonated: `));
  expect(() => impersonationHeaders(caller)).toThrow('cannot be impersonated');
});

test('names with whitespace inside and beyond ASCII can be impersonated', () => {
  expect(impersonationError({ ...ann, user: 'Jörg Müller', groups: ['日本'] })).toBeUndefined();
});

test('the API server reads every extra key as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (key) => {
      const name = Object.keys(impersonationHeaders({ ...ann, extra: { [key]: ['x'] } })).find((header) =>
        header.startsWith('impersonate-extra-'),
      );
      expect(name).toMatch(/^[\w!#$%&'*+.^`|~-]+$/);
      // As the API server does: header names have no case.
      expect(decodeURIComponent(String(name).toLowerCase().slice('impersonate-extra-'.length))).toBe(key);
    }),
  );
});
