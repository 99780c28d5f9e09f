import { protocolsWithoutToken, tokenOf } from '../../../lib/gateway/identity/bearer-token';

const protocol = (token: string): string =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
const websocket = (protocols: string): Record<string, string> => ({
  upgrade: 'websocket',
  'sec-websocket-protocol': protocols,
});

test.each(['Bearer abc', 'bearer  abc'])('%j carries a token', (authorization) => {
  expect(tokenOf({ authorization })).toBe('abc');
  expect(tokenOf({ authorization, ...websocket(`${protocol('other')}, v5.channel.k8s.io`) })).toBe('abc');
});

test('a websocket carries a token among its protocols', () => {
  expect(tokenOf(websocket(`v5.channel.k8s.io,${protocol('a.b-c_é')}`))).toBe('a.b-c_é');
});

test.each([
  ['nothing', {}],
  ['another scheme', { authorization: 'Basic abc' }],
  ['no other protocol to answer with', websocket(protocol('abc'))],
  ['two tokens', websocket(`${protocol('abc')}, ${protocol('abc')}, v5.channel.k8s.io`)],
  ['padding', websocket(`${protocol('abc')}=, v5.channel.k8s.io`)],
  ['bytes that are not UTF-8', websocket('base64url.bearer.authorization.k8s.io._w, v5.channel.k8s.io')],
  ['an empty token', websocket(`${protocol('')}, v5.channel.k8s.io`)],
  ['no upgrade', { 'sec-websocket-protocol': `${protocol('abc')}, v5.channel.k8s.io` }],
])('%s is no token', (_, headers) => {
  expect(tokenOf(headers)).toBeUndefined();
});

test('tokens are removed from protocols, whatever their case', () => {
  const offered = `v5.channel.k8s.io,${protocol('abc')}, Base64URL.bearer.authorization.k8s.io.YQ,v4.channel.k8s.io`;
  expect(protocolsWithoutToken({ 'sec-websocket-protocol': offered })).toBe('v5.channel.k8s.io, v4.channel.k8s.io');
  expect(protocolsWithoutToken({ 'sec-websocket-protocol': protocol('abc') })).toBeUndefined();
  expect(protocolsWithoutToken({})).toBeUndefined();
});
