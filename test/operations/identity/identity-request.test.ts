import { parseIdentityRequest } from '../../../lib/operations';
import { kubeletRequest, requestBy } from './certificate-requests';
import { requestedAt, bootstrapGroup, signingRequest } from './signing-requests';

const client = kubeletRequest('node-a').pem;
const serving = kubeletRequest('node-a', ['10.0.0.1']).pem;
const parse = (object: ReturnType<typeof signingRequest>) => parseIdentityRequest(object, bootstrapGroup);
const denialReason = (object: ReturnType<typeof signingRequest>): string | undefined => {
  const result = parse(object);
  return result && 'denied' in result ? result.denied.reason : undefined;
};

test('parses requests of joining machines and of nodes', () => {
  expect(parse(signingRequest('client', client))).toEqual({
    request: { certificate: 'client', node: 'node-a', dnsNames: [], addresses: [], requestedAt },
  });
  expect(parse(signingRequest('serving', serving))).toEqual({
    request: { certificate: 'serving', node: 'node-a', dnsNames: ['node-a'], addresses: ['10.0.0.1'], requestedAt },
  });
});

test('accepts key encipherment for RSA keys', () => {
  const usages = ['key encipherment', 'digital signature', 'client auth'];
  expect(parse(signingRequest('client', client, { usages }))).toHaveProperty('request');
});

test.each([
  ['another signer', signingRequest('client', client, { signerName: 'kubernetes.io/kube-apiserver-client' })],
  ['an approved request', signingRequest('client', client, {}, { conditions: [{ type: 'Approved', status: 'True' }] })],
  ['a denied request', signingRequest('client', client, {}, { conditions: [{ type: 'Denied', status: 'True' }] })],
  ['a signed request', signingRequest('serving', serving, {}, { certificate: 'LS0t' })],
  [
    'a node that renews its own certificate',
    signingRequest('client', client, { username: 'system:node:node-a', groups: ['system:nodes'] }),
  ],
])('ignores %s', (_, object) => {
  expect(parse(object)).toBeUndefined();
});

const asMasters = requestBy({ subject: '/O=system:masters/CN=system:node:node-a' }).pem;
const asUser = requestBy({ subject: '/O=system:nodes/CN=admin' }).pem;
const asNothing = requestBy({ subject: '/O=system:nodes/CN=system:node:' }).pem;

test.each([
  ['an invalid request', 'InvalidRequest', signingRequest('client', 'nothing')],
  ['another organization', 'InvalidSubject', signingRequest('client', asMasters)],
  ['a name that is not a node', 'InvalidSubject', signingRequest('client', asUser)],
  ['a node without a name', 'InvalidSubject', signingRequest('client', asNothing)],
  ['usages of the other certificate', 'InvalidUsages', signingRequest('client', client, { usages: ['server auth'] })],
  [
    'an additional usage',
    'InvalidUsages',
    signingRequest('serving', serving, { usages: ['digital signature', 'server auth', 'client auth'] }),
  ],
  ['a missing usage', 'InvalidUsages', signingRequest('serving', serving, { usages: ['server auth'] })],
  ['a client with names', 'InvalidNames', signingRequest('client', serving)],
  ['a server without names', 'InvalidNames', signingRequest('serving', client)],
  ['a user', 'InvalidRequester', signingRequest('client', client, { username: 'ana', groups: ['system:masters'] })],
  [
    'another bootstrap group',
    'InvalidRequester',
    signingRequest('client', client, { groups: ['system:bootstrappers', 'system:bootstrappers:others'] }),
  ],
  [
    'a node that requests the client certificate of another',
    'InvalidRequester',
    signingRequest('client', client, { username: 'system:node:node-b', groups: ['system:nodes', bootstrapGroup] }),
  ],
  [
    'a node that requests the serving certificate of another',
    'InvalidRequester',
    signingRequest('serving', serving, { username: 'system:node:node-b' }),
  ],
  [
    'a user with the name of a node',
    'InvalidRequester',
    signingRequest('serving', serving, { groups: ['system:authenticated'] }),
  ],
])('%s is denied', (_, reason, object) => {
  expect(denialReason(object)).toBe(reason);
});
