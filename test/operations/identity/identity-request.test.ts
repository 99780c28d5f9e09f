import { identityRequestOf } from '../../../lib/operations';
import { kubeletRequest, requestBy } from './certificate-requests';
import { asked, bootstrapGroup, signingRequest } from './signing-requests';

const client = kubeletRequest('node-a').pem;
const serving = kubeletRequest('node-a', ['10.0.0.1']).pem;
const read = (object: ReturnType<typeof signingRequest>) => identityRequestOf(object, bootstrapGroup);
const refusedFor = (object: ReturnType<typeof signingRequest>): string | undefined => {
  const found = read(object);
  return found && 'refused' in found ? found.refused.reason : undefined;
};

test('a machine that joins asks to be a node, and a node asks for names of its own', () => {
  expect(read(signingRequest('client', client))).toEqual({
    asks: { certificate: 'client', node: 'node-a', dnsNames: [], addresses: [], asked },
  });
  expect(read(signingRequest('serving', serving))).toEqual({
    asks: { certificate: 'serving', node: 'node-a', dnsNames: ['node-a'], addresses: ['10.0.0.1'], asked },
  });
});

test('a key of RSA may encipher keys', () => {
  const usages = ['key encipherment', 'digital signature', 'client auth'];
  expect(read(signingRequest('client', client, { usages }))).toHaveProperty('asks');
});

test.each([
  ['another signer', signingRequest('client', client, { signerName: 'kubernetes.io/kube-apiserver-client' })],
  ['what is approved', signingRequest('client', client, {}, { conditions: [{ type: 'Approved', status: 'True' }] })],
  ['what is denied', signingRequest('client', client, {}, { conditions: [{ type: 'Denied', status: 'True' }] })],
  ['what is signed', signingRequest('serving', serving, {}, { certificate: 'LS0t' })],
  [
    'a node that renews its own certificate',
    signingRequest('client', client, { username: 'system:node:node-a', groups: ['system:nodes'] }),
  ],
])('%s is for others to decide', (_, object) => {
  expect(read(object)).toBeUndefined();
});

const asMaster = requestBy({ subject: '/O=system:masters/CN=system:node:node-a' }).pem;
const asPerson = requestBy({ subject: '/O=system:nodes/CN=admin' }).pem;
const asNothing = requestBy({ subject: '/O=system:nodes/CN=system:node:' }).pem;

test.each([
  ['a request that cannot be read', 'Unreadable', signingRequest('client', 'nothing')],
  ['another organization', 'WrongSubject', signingRequest('client', asMaster)],
  ['a name that is no node', 'WrongSubject', signingRequest('client', asPerson)],
  ['a node without a name', 'WrongSubject', signingRequest('client', asNothing)],
  ['usages of the other certificate', 'WrongUsages', signingRequest('client', client, { usages: ['server auth'] })],
  [
    'a usage beyond',
    'WrongUsages',
    signingRequest('serving', serving, { usages: ['digital signature', 'server auth', 'client auth'] }),
  ],
  ['usages that are too few', 'WrongUsages', signingRequest('serving', serving, { usages: ['server auth'] })],
  ['a client with names', 'WrongNames', signingRequest('client', serving)],
  ['a server without names', 'WrongNames', signingRequest('serving', client)],
  ['a person', 'WrongRequester', signingRequest('client', client, { username: 'ana', groups: ['system:masters'] })],
  [
    'another group of machines that join',
    'WrongRequester',
    signingRequest('client', client, { groups: ['system:bootstrappers', 'system:bootstrappers:others'] }),
  ],
  [
    'a node that would be another',
    'WrongRequester',
    signingRequest('client', client, { username: 'system:node:node-b', groups: ['system:nodes', bootstrapGroup] }),
  ],
  [
    'a node that would serve as another',
    'WrongRequester',
    signingRequest('serving', serving, { username: 'system:node:node-b' }),
  ],
  [
    'whoever only has the name of a node',
    'WrongRequester',
    signingRequest('serving', serving, { groups: ['system:authenticated'] }),
  ],
])('%s is denied', (_, reason, object) => {
  expect(refusedFor(object)).toBe(reason);
});
