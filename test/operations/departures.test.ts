import { keys } from '../../lib/api';
import { type LiveObject } from '../../lib/kube';
import { type Departure, type DrainQueue, planDeparture, seeOff, usualRollPolicy } from '../../lib/operations';
import { realClock } from '../kube/real-clock';
import { answer, refuse } from '../kube/scripted-server';
import { clientOf, serve } from '../kube/served-client';

const now = Date.parse('2026-11-21T12:00:00Z');
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const node = (drainingSince?: string): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'node-1',
    uid: 'n',
    resourceVersion: '1',
    ...(drainingSince !== undefined && { annotations: { [keys.draining]: drainingSince } }),
  },
  spec: { providerID: 'aws:///us-east-1a/i-1', unschedulable: drainingSince !== undefined },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});
const pod = (name: string, kind: string): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: name,
    resourceVersion: '1',
    ownerReferences: [{ apiVersion: 'v1', kind, name: 'owner', uid: 'o', controller: true }],
  },
  status: { phase: 'Running' },
});
const plan = (given: LiveObject | undefined, ...pods: readonly LiveObject[]) =>
  planDeparture(given, pods, usualRollPolicy.drain, now);

test('a machine that is no node, or an empty one, may end', () => {
  expect(plan(undefined)).toEqual({ do: 'let-go', left: [] });
  expect(plan(node(minutesAgo(1)), pod('agent', 'DaemonSet'))).toEqual({ do: 'let-go', left: [] });
});

test('a node takes no more pods before any is evicted', () => {
  expect(plan(node(), pod('cart', 'ReplicaSet'))).toEqual({ do: 'cordon', node: 'node-1' });
});

test('pods of Jobs hold the machine longer than others do', () => {
  const [cart, report] = [pod('cart', 'ReplicaSet'), pod('report', 'Job')];
  expect(plan(node(minutesAgo(5)), cart, report)).toMatchObject({ do: 'evict', pods: [cart] });
  expect(plan(node(minutesAgo(90)), cart)).toMatchObject({ do: 'let-go', left: [{ name: 'cart' }] });
  expect(plan(node(minutesAgo(90)), cart, report)).toMatchObject({ do: 'evict' });
  expect(plan(node(minutesAgo(25 * 60)), report)).toMatchObject({ do: 'let-go', left: [{ name: 'report' }] });
});

const departure = (machine: string): Departure => ({
  machine,
  held: { group: 'prod-node-general', hook: 'drain' },
  receipt: 'r',
});

/** A queue that says again what was not let go. */
class ListedQueue implements DrainQueue {
  readonly calls: string[] = [];
  constructor(private open: readonly Departure[]) {}
  receive = () => Promise.resolve(this.open);
  hold = ({ machine }: Departure) => Promise.resolve(void this.calls.push(`hold ${machine}`));
  letGo({ machine }: Departure): Promise<void> {
    this.calls.push(`let go ${machine}`);
    this.open = this.open.filter((one) => one.machine !== machine);
    return Promise.resolve();
  }
}

test('notice by notice a machine is emptied and let go, and one that fails stops no other', async () => {
  let seen = node();
  let pods = [pod('cart', 'ReplicaSet')];
  let isAllowed = false;
  const server = await serve(({ method, url }, response) => {
    if (method === 'PATCH') {
      seen = node(new Date(realClock.now()).toISOString());
      answer(response, 200, seen);
    } else if (url.includes('/eviction')) {
      if (!isAllowed) refuse(response, 429, 'TooManyRequests');
      else {
        pods = [];
        answer(response, 201, {});
      }
    } else if (url.includes('/pods')) {
      if (url.includes('node-broken')) refuse(response, 403, 'Forbidden');
      else answer(response, 200, { metadata: {}, items: pods });
    } else {
      const broken = { ...node(), metadata: { ...node().metadata, name: 'node-broken' } };
      const items = [seen, { ...broken, spec: { providerID: 'aws:///us-east-1a/i-broken' } }];
      answer(response, 200, { metadata: {}, items });
    }
  });
  const queue = new ListedQueue([departure('i-broken'), departure('i-gone'), departure('i-1')]);
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const pass = () => seeOff({ client: clientOf(server), queue, clock: realClock, policy: usualRollPolicy.drain, log });
  await pass();
  expect(queue.calls.sort()).toEqual(['hold i-1', 'let go i-gone']);
  expect(said).toContain('a machine could not be seen off yet');
  await pass();
  expect(said).toContain('a pod stays for now');
  isAllowed = true;
  await pass();
  await pass();
  expect(queue.calls.slice(-2)).toEqual(['hold i-1', 'let go i-1']);
});

test('of a machine that the cloud takes, pods of Jobs go too: nobody can hold it', async () => {
  const evicted: string[] = [];
  const seen = node(new Date(realClock.now()).toISOString());
  const server = await serve(({ url }, response) => {
    if (url.includes('/eviction')) {
      evicted.push(url);
      answer(response, 201, {});
    } else answer(response, 200, { metadata: {}, items: url.includes('/pods') ? [pod('report', 'Job')] : [seen] });
  });
  const { held: _, ...taken } = departure('i-1');
  const log = (): void => undefined;
  const parts = { client: clientOf(server), clock: realClock, policy: usualRollPolicy.drain, log };
  await seeOff({ ...parts, queue: new ListedQueue([departure('i-1')]) });
  expect(evicted).toEqual([]);
  await seeOff({ ...parts, queue: new ListedQueue([taken]) });
  expect(evicted).toEqual(['/api/v1/namespaces/shop/pods/report/eviction']);
});
