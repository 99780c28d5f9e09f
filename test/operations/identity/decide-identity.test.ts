import fc from 'fast-check';
import { type LiveObject } from '../../../lib/kube';
import {
  decideIdentity,
  defaultIdentityPolicy,
  type IdentityFacts,
  type IdentityRequest,
  type Instance,
} from '../../../lib/operations';
import { requestedAt } from './signing-requests';

const minute = 60_000;
const name = 'ip-10-0-16-80.ec2.internal';
const machine: Instance = {
  id: 'i-1',
  name,
  state: 'running',
  part: 'nodes',
  launchedAt: requestedAt - 2 * minute,
  addresses: ['10.0.16.80', '10.0.16.81'],
};
const client: IdentityRequest = { certificate: 'client', node: name, dnsNames: [], addresses: [], requestedAt };
const serving: IdentityRequest = {
  certificate: 'serving',
  node: name,
  dnsNames: [name],
  addresses: ['10.0.16.80'],
  requestedAt,
};
const node = (id: string, ready = true): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: 'n', resourceVersion: '1' },
  spec: { providerID: `aws:///us-east-1a/${id}` },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }] },
});
const decide = (request: IdentityRequest, facts: Partial<IdentityFacts> = {}) => {
  const state = { instances: [machine], node: undefined, now: requestedAt + minute, ...facts };
  const { decision, reason } = decideIdentity(request, state, defaultIdentityPolicy);
  return `${decision} ${reason}`;
};
const withInstance = (overrides: Partial<Instance>): Partial<IdentityFacts> => ({
  instances: [{ ...machine, ...overrides }],
});

test('approves the first certificate of a new pool machine, even if a stale Node of its name exists', () => {
  expect(decide(client)).toBe('approve InstanceVerified');
  expect(decide(client, { node: node('i-0', false) })).toBe('approve InstanceVerified');
});

test('denies another certificate of a machine that has joined, even if its Node is not Ready', () => {
  expect(decide(client, { node: node('i-1', false) })).toBe('deny AlreadyJoined');
});

test.each<[string, Partial<IdentityFacts>, string]>([
  ['defers a machine that AWS does not list yet', { instances: [] }, 'defer InstanceNotFound'],
  [
    'denies a machine that AWS does not list within the timeout',
    { instances: [], now: requestedAt + 3 * minute },
    'deny InstanceNotFound',
  ],
  [
    'ignores a machine with another name',
    { ...withInstance({ name: 'ip-10-0-16-8.ec2.internal' }) },
    'defer InstanceNotFound',
  ],
  ['ignores a terminating machine', { ...withInstance({ state: 'other' }) }, 'defer InstanceNotFound'],
  ['defers a pending machine', withInstance({ state: 'pending' }), 'defer InstancePending'],
  [
    'defers if two machines have the same name',
    { instances: [machine, { ...machine, id: 'i-2' }] },
    'defer InstanceNotUnique',
  ],
  ['denies a control plane node', withInstance({ part: 'control-plane' }), 'deny NotPoolInstance'],
  ['denies a machine without a part', withInstance({ part: '' }), 'deny NotPoolInstance'],
  ['denies an old machine', withInstance({ launchedAt: requestedAt - 61 * minute }), 'deny InstanceTooOld'],
  [
    'denies a request that is older than the machine',
    withInstance({ launchedAt: requestedAt + minute }),
    'deny RequestedBeforeLaunch',
  ],
  ['denies a machine without a launch time', withInstance({ launchedAt: Number.NaN }), 'deny RequestedBeforeLaunch'],
  ['denies a Ready node', { node: node('i-1') }, 'deny AlreadyJoined'],
  ['defers if a Ready Node of another machine has the name', { node: node('i-2') }, 'defer NameInUse'],
])('%s', (_, facts, decision) => {
  expect(decide(client, facts)).toBe(decision);
});

test('measures the age of a machine at the time of the request, not of the decision', () => {
  expect(decide(client, { now: requestedAt + 20 * 60 * minute })).toBe('approve InstanceVerified');
});

test('approves a serving certificate for names and addresses of the machine, of any age and part', () => {
  const facts = {
    node: node('i-1'),
    ...withInstance({ part: 'control-plane', launchedAt: requestedAt - 9999 * minute }),
  };
  expect(decide(serving, facts)).toBe('approve InstanceVerified');
  expect(decide({ ...serving, addresses: [...machine.addresses] }, facts)).toBe('approve InstanceVerified');
});

test('denies names and addresses of other machines', () => {
  const facts = { node: node('i-1') };
  expect(decide({ ...serving, addresses: ['10.0.16.80', '10.0.16.9'] }, facts)).toBe('deny InvalidNames');
  expect(decide({ ...serving, dnsNames: [name, 'kubernetes.default.svc'] }, facts)).toBe('deny InvalidNames');
});

test('defers a serving certificate until the Node of the machine exists', () => {
  expect(decide(serving)).toBe('defer NodeMismatch');
  expect(decide(serving, { node: node('i-2') })).toBe('defer NodeMismatch');
});

const anyInstance = fc.record<Instance>({
  id: fc.constantFrom('i-1', 'i-2'),
  name: fc.constantFrom(name, 'ip-10-0-16-9.ec2.internal'),
  state: fc.constantFrom('pending', 'running', 'other'),
  part: fc.constantFrom('nodes', 'control-plane', ''),
  launchedAt: fc.oneof(
    fc.integer({ min: requestedAt - 90 * minute, max: requestedAt + minute }),
    fc.constant(Number.NaN),
  ),
  addresses: fc.subarray(['10.0.16.80', '10.0.16.81', '10.0.16.9']),
});
const anyRequest = fc.record<IdentityRequest>({
  certificate: fc.constantFrom('client', 'serving'),
  node: fc.constant(name),
  dnsNames: fc.subarray([name, 'a']),
  addresses: fc.subarray(['10.0.16.80', '10.0.16.9']),
  requestedAt: fc.oneof(fc.constant(requestedAt), fc.constant(Number.NaN)),
});
const anyNode = fc.option(
  fc.tuple(fc.constantFrom('i-1', 'i-2', 'i-3'), fc.boolean()).map(([id, ready]) => node(id, ready)),
  { nil: undefined },
);

test('approves only the one running machine of the name, with its own names and addresses', () => {
  let approved = 0;
  fc.assert(
    fc.property(
      fc.array(anyInstance, { minLength: 1, maxLength: 2 }),
      anyRequest,
      anyNode,
      (instances, request, node) => {
        const facts = { instances, node, now: requestedAt + 10 * minute };
        if (decideIdentity(request, facts, defaultIdentityPolicy).decision !== 'approve') return;
        approved += 1;
        const named = instances.filter((one) => one.name === name && one.state !== 'other');
        expect(named).toHaveLength(1);
        const [one] = named as [Instance];
        expect(one.state).toBe('running');
        if (request.certificate === 'client') {
          expect(one.part).toBe('nodes');
          expect(Math.abs(request.requestedAt - one.launchedAt)).toBeLessThanOrEqual(
            defaultIdentityPolicy.maxInstanceAge,
          );
          expect(JSON.stringify(node?.['status'] ?? '')).not.toContain('"True"');
        } else {
          expect(request.dnsNames.every((each) => each === name)).toBe(true);
          expect(one.addresses).toEqual(expect.arrayContaining([...request.addresses]));
          expect(JSON.stringify(node?.['spec'])).toContain(`/${one.id}"`);
        }
      },
    ),
    { numRuns: 5000 },
  );
  expect(approved).toBeGreaterThan(5);
});
