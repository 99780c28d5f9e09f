import fc from 'fast-check';
import { type LiveObject } from '../../../lib/kube';
import {
  decideIdentity,
  usualIdentityPolicy,
  type IdentityFacts,
  type IdentityRequest,
  type Instance,
} from '../../../lib/operations';
import { asked } from './signing-requests';

const minute = 60_000;
const name = 'ip-10-0-16-80.ec2.internal';
const machine: Instance = {
  id: 'i-1',
  name,
  state: 'running',
  part: 'nodes',
  launched: asked - 2 * minute,
  addresses: ['10.0.16.80', '10.0.16.81'],
};
const client: IdentityRequest = { certificate: 'client', node: name, dnsNames: [], addresses: [], asked };
const serving: IdentityRequest = {
  certificate: 'serving',
  node: name,
  dnsNames: [name],
  addresses: ['10.0.16.80'],
  asked,
};
const node = (id: string, ready = true): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: 'n', resourceVersion: '1' },
  spec: { providerID: `aws:///us-east-1a/${id}` },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }] },
});
const decide = (asks: IdentityRequest, facts: Partial<IdentityFacts> = {}) => {
  const known = { instances: [machine], node: undefined, now: asked + minute, ...facts };
  const { decision, reason } = decideIdentity(asks, known, usualIdentityPolicy);
  return `${decision} ${reason}`;
};
const other = (own: Partial<Instance>): Partial<IdentityFacts> => ({ instances: [{ ...machine, ...own }] });

test('a young machine of a pool gets its first certificate, whether an old Node of its name is left or not', () => {
  expect(decide(client)).toBe('approve InstanceConfirmed');
  expect(decide(client, { node: node('i-0', false) })).toBe('approve InstanceConfirmed');
  expect(decide(client, { node: node('i-1', false) })).toBe('approve InstanceConfirmed');
});

test.each<[string, Partial<IdentityFacts>, string]>([
  ['a machine that AWS does not name yet is waited for', { instances: [] }, 'hold UnknownInstance'],
  ['one that it does not name for long is denied', { instances: [], now: asked + 3 * minute }, 'deny UnknownInstance'],
  ['one of another name is none', { ...other({ name: 'ip-10-0-16-8.ec2.internal' }) }, 'hold UnknownInstance'],
  ['one that ends is none', { ...other({ state: 'other' }) }, 'hold UnknownInstance'],
  ['one that does not run yet is waited for', other({ state: 'pending' }), 'hold InstancePending'],
  [
    'of two of one name neither is trusted',
    { instances: [machine, { ...machine, id: 'i-2' }] },
    'hold SeveralInstances',
  ],
  ['a master does not join by a token', other({ part: 'control-plane' }), 'deny NoWorker'],
  ['nor does what belongs to no part', other({ part: '' }), 'deny NoWorker'],
  ['an old machine does not join', other({ launched: asked - 61 * minute }), 'deny InstanceTooOld'],
  ['who asked before the machine was there is another', other({ launched: asked + minute }), 'deny OlderThanInstance'],
  ['a machine of no age is not approved', other({ launched: Number.NaN }), 'deny OlderThanInstance'],
  ['a node that is Ready has its certificate', { node: node('i-1') }, 'deny AlreadyJoined'],
  ['the name of another machine that is Ready is not given away', { node: node('i-2') }, 'hold NameInUse'],
])('%s', (_, facts, decision) => {
  expect(decide(client, facts)).toBe(decision);
});

test('the age of a machine counts until it asked, not until somebody looks', () => {
  expect(decide(client, { now: asked + 20 * 60 * minute })).toBe('approve InstanceConfirmed');
});

test('a node gets a serving certificate for names and addresses of its machine, however old, masters too', () => {
  const facts = { node: node('i-1'), ...other({ part: 'control-plane', launched: asked - 9999 * minute }) };
  expect(decide(serving, facts)).toBe('approve InstanceConfirmed');
  expect(decide({ ...serving, addresses: [...machine.addresses] }, facts)).toBe('approve InstanceConfirmed');
});

test('a name or an address that belongs to another is denied', () => {
  const facts = { node: node('i-1') };
  expect(decide({ ...serving, addresses: ['10.0.16.80', '10.0.16.9'] }, facts)).toBe('deny WrongNames');
  expect(decide({ ...serving, dnsNames: [name, 'kubernetes.default.svc'] }, facts)).toBe('deny WrongNames');
});

test('a certificate to serve waits for the Node of the very machine', () => {
  expect(decide(serving)).toBe('hold NoSuchNode');
  expect(decide(serving, { node: node('i-2') })).toBe('hold NoSuchNode');
});

const anyInstance = fc.record<Instance>({
  id: fc.constantFrom('i-1', 'i-2'),
  name: fc.constantFrom(name, 'ip-10-0-16-9.ec2.internal'),
  state: fc.constantFrom('pending', 'running', 'other'),
  part: fc.constantFrom('nodes', 'control-plane', ''),
  launched: fc.oneof(fc.integer({ min: asked - 90 * minute, max: asked + minute }), fc.constant(Number.NaN)),
  addresses: fc.subarray(['10.0.16.80', '10.0.16.81', '10.0.16.9']),
});
const anyRequest = fc.record<IdentityRequest>({
  certificate: fc.constantFrom('client', 'serving'),
  node: fc.constant(name),
  dnsNames: fc.subarray([name, 'a']),
  addresses: fc.subarray(['10.0.16.80', '10.0.16.9']),
  asked: fc.oneof(fc.constant(asked), fc.constant(Number.NaN)),
});
const anyNode = fc.option(
  fc.tuple(fc.constantFrom('i-1', 'i-2', 'i-3'), fc.boolean()).map(([id, ready]) => node(id, ready)),
  { nil: undefined },
);

test('whatever is known, what is approved is the one running machine of the name, and nothing that it has not', () => {
  let approved = 0;
  fc.assert(
    fc.property(
      fc.array(anyInstance, { minLength: 1, maxLength: 2 }),
      anyRequest,
      anyNode,
      (instances, asks, known) => {
        const facts = { instances, node: known, now: asked + 10 * minute };
        if (decideIdentity(asks, facts, usualIdentityPolicy).decision !== 'approve') return;
        approved += 1;
        const here = instances.filter((one) => one.name === name && one.state !== 'other');
        expect(here).toHaveLength(1);
        const [one] = here as [Instance];
        expect(one.state).toBe('running');
        if (asks.certificate === 'client') {
          expect(one.part).toBe('nodes');
          expect(Math.abs(asks.asked - one.launched)).toBeLessThanOrEqual(usualIdentityPolicy.youth);
          expect(JSON.stringify(known?.['status'] ?? '')).not.toContain('"True"');
        } else {
          expect(asks.dnsNames.every((each) => each === name)).toBe(true);
          expect(one.addresses).toEqual(expect.arrayContaining([...asks.addresses]));
          expect(JSON.stringify(known?.['spec'])).toContain(`/${one.id}"`);
        }
      },
    ),
    { numRuns: 5000 },
  );
  expect(approved).toBeGreaterThan(5);
});
