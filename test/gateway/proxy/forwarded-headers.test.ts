import fc from 'fast-check';
import { asksImpersonation, forwardedHeaders, returnedHeaders } from '../../../lib/gateway/proxy/forwarded-headers';

const ann = {
  user: 'ann',
  uid: '7',
  groups: ['dev', 'ops'],
  extra: { 'authentication.kubernetes.io/pod-uid': ['8'], scopes: ['a', 'b'] },
};

test('a request is passed on as its caller', () => {
  expect(forwardedHeaders({ accept: 'application/json', 'user-agent': 'kubectl' }, ann)).toEqual({
    accept: 'application/json',
    'user-agent': 'kubectl',
    'impersonate-user': 'ann',
    'impersonate-uid': '7',
    'impersonate-group': ['dev', 'ops'],
    'impersonate-extra-authentication.kubernetes.io%2Fpod-uid': ['8'],
    'impersonate-extra-scopes': ['a', 'b'],
  });
});

test('a request of a user is passed on with the own token, and impersonates no one', () => {
  const headers = { accept: '*/*', authorization: 'Bearer other', 'impersonate-user': 'admin' };
  expect(forwardedHeaders(headers, { ...ann, user: 'Jörg ', token: 'a.b.c' })).toEqual({
    accept: '*/*',
    authorization: 'Bearer a.b.c',
  });
});

describe('the groups of a service account', () => {
  const groupsSent = (user: string, ...groups: readonly string[]): unknown =>
    forwardedHeaders({}, { user, groups, extra: {} })['impersonate-group'];
  const derived = ['system:authenticated', 'system:serviceaccounts', 'system:serviceaccounts:shop'];

  test('are left to the API server, which derives them from its name', () => {
    expect(groupsSent('system:serviceaccount:shop:bot', ...derived)).toBeUndefined();
  });

  test.each([
    ['another namespace', 'system:serviceaccount:bank:bot', derived],
    ['one more group', 'system:serviceaccount:shop:bot', [...derived, 'dev']],
    ['one group less', 'system:serviceaccount:shop:bot', derived.slice(1)],
    ['one group twice', 'system:serviceaccount:shop:bot', [...derived.slice(0, 2), 'system:authenticated']],
    ['a name that is none of an account', 'system:serviceaccount:shop:bot:x', derived],
    ['an empty name', 'system:serviceaccount:shop:', derived],
    ['a person', 'ann', derived],
  ])('are sent for %s', (_, user, groups) => {
    expect(groupsSent(user, ...groups)).toEqual(groups);
  });
});

test.each(['impersonate-user', 'impersonate-group', 'impersonate-uid', 'impersonate-extra-scopes', 'impersonate-'])(
  'the header %s asks for impersonation, whatever its value',
  (name) => {
    expect(asksImpersonation({ [name]: '' })).toBe(true);
    expect(asksImpersonation({ accept: '*/*', connection: name })).toBe(false);
  },
);

const name = fc.constantFrom(
  ...['authorization', 'cookie', 'host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authorization', 'x-remote-user', 'x-remote-group', 'x-remote-extra-scopes', 'impersonate-user', 'accept'],
  ...['impersonate-group', 'impersonate-uid', 'impersonate-extra-scopes', 'content-type', 'x-own'],
);
const caller = fc.record({
  user: fc.constantFrom('ann', 'system:serviceaccount:a:bot'),
  groups: fc.array(fc.constantFrom('dev', 'ops'), { maxLength: 2 }),
  extra: fc.dictionary(
    fc.constantFrom('scopes', 'a/b'),
    fc.array(fc.constantFrom('x', 'y'), { minLength: 1, maxLength: 2 }),
  ),
});

test('no header of a client tells who it is, and none of another connection is passed on', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.constantFrom('evil', 'X-Own, Impersonate-User', 'close')),
      caller,
      (headers, from) => {
        const sent = forwardedHeaders(headers, from);
        const own = Object.entries(sent).filter(([key]) => key.startsWith('impersonate-'));
        expect(Object.fromEntries(own)).toEqual(forwardedHeaders({}, from));
        for (const key of [
          'authorization',
          'cookie',
          'host',
          'connection',
          'transfer-encoding',
          'upgrade',
          'x-remote-user',
        ])
          expect(sent).not.toHaveProperty(key);
        if ((headers['connection'] ?? '').includes('X-Own')) expect(sent).not.toHaveProperty('x-own');
        if (headers['accept'] !== undefined) expect(sent['accept']).toBe(headers['accept']);
      },
    ),
  );
});

test('a response is passed back without the headers of its connection', () => {
  const received = {
    'content-type': 'text/plain',
    connection: 'X-Own, close',
    'x-own': 'a',
    'transfer-encoding': 'chunked',
  };
  expect(returnedHeaders(received)).toEqual({ 'content-type': 'text/plain' });
});

test('a name beyond ASCII is sent as the API server reads it, in UTF-8', () => {
  const sent = forwardedHeaders({}, { user: 'jörg', groups: ['Ελ'], extra: {} });
  expect(Buffer.from(String(sent['impersonate-user']), 'latin1').toString('utf8')).toBe('jörg');
  expect(Buffer.from(String((sent['impersonate-group'] as string[])[0]), 'latin1').toString('utf8')).toBe('Ελ');
});

test.each(['admin ', ' admin', 'admin\t'])(
  '%j is not passed on as a header, which would be read as "admin"',
  (username) => {
    expect(() => forwardedHeaders({}, { user: username, groups: [], extra: {} })).toThrow('cannot be impersonated');
    expect(() => forwardedHeaders({}, { user: 'ann', groups: [username], extra: {} })).toThrow(
      'cannot be impersonated',
    );
  },
);

test('a client does not tell the audit log where it comes from', () => {
  const sent = forwardedHeaders({ 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' }, ann);
  expect([sent['x-forwarded-for'], sent['x-real-ip']]).toEqual([undefined, undefined]);
});

test('the token of a client that opens a websocket from a browser stays here', () => {
  const protocols = 'base64url.bearer.authorization.k8s.io.dG9rZW4, v5.channel.k8s.io';
  expect(forwardedHeaders({ 'sec-websocket-protocol': protocols }, ann)['sec-websocket-protocol']).toBe(
    'v5.channel.k8s.io',
  );
});
