import { metadataKeys } from '../../lib/api';
import { type LiveObject } from '../../lib/kube';
import {
  type TerminationNotice,
  type DrainQueue,
  planTermination,
  processTerminations,
  defaultRollPolicy,
} from '../../lib/operations';
import { realClock } from '../kube/real-clock';
import { sendJson, sendStatus } from '../kube/scripted-server';
import { clientOf, serve } from '../kube/client-fixture';

const now = Date.parse('2026-11-21T12:00:00Z');
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const node = (drainingSince?: string): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'node-1',
    uid: 'n',
    resourceVersion: '1',
    ...(drainingSince !== undefined && { annotations: { [metadataKeys.draining]: drainingSince } }),
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
const plan = (observed: LiveObject | undefined, ...pods: readonly LiveObject[]) =>
  planTermination(observed, pods, defaultRollPolicy.drain, now);

test('completes the termination of a machine that is not a node or is empty', () => {
  expect(plan(undefined)).toEqual({ do: 'complete', remaining: [] });
  expect(plan(node(minutesAgo(1)), pod('agent', 'DaemonSet'))).toEqual({ do: 'complete', remaining: [] });
});

test('cordons a node before it evicts pods', () => {
  expect(plan(node(), pod('cart', 'ReplicaSet'))).toEqual({ do: 'cordon', node: 'node-1' });
});

test('waits longer for pods of Jobs than for others', () => {
  const [cart, report] = [pod('cart', 'ReplicaSet'), pod('report', 'Job')];
  expect(plan(node(minutesAgo(5)), cart, report)).toMatchObject({ do: 'evict', pods: [cart] });
  expect(plan(node(minutesAgo(90)), cart)).toMatchObject({ do: 'complete', remaining: [{ name: 'cart' }] });
  expect(plan(node(minutesAgo(90)), cart, report)).toMatchObject({ do: 'evict' });
  expect(plan(node(minutesAgo(25 * 60)), report)).toMatchObject({ do: 'complete', remaining: [{ name: 'report' }] });
});

const terminationNotice = (machine: string): TerminationNotice => ({
  machine,
  hook: { group: 'prod-node-general', hook: 'drain' },
  receipt: 'r',
});

/** Queue that redelivers a notice until it is completed. */
class ListedQueue implements DrainQueue {
  readonly calls: string[] = [];
  constructor(private pending: readonly TerminationNotice[]) {}
  receive = () => Promise.resolve(this.pending);
  extend = ({ machine }: TerminationNotice) => Promise.resolve(void this.calls.push(`extend ${machine}`));
  complete({ machine }: TerminationNotice): Promise<void> {
    this.calls.push(`complete ${machine}`);
    this.pending = this.pending.filter((one) => one.machine !== machine);
    return Promise.resolve();
  }
}

test('drains and completes one machine per notice, and continues after the failure of another', async () => {
  let liveNode = node();
  let pods = [pod('cart', 'ReplicaSet')];
  let isAllowed = false;
  const server = await serve(({ method, url }, response) => {
    if (method === 'PATCH') {
      liveNode = node(new Date(realClock.now()).toISOString());
      sendJson(response, 200, liveNode);
    } else if (url.includes('/eviction')) {
      if (!isAllowed) sendStatus(response, 429, 'TooManyRequests');
      else {
        pods = [];
        sendJson(response, 201, {});
      }
    } else if (url.includes('/pods')) {
      if (url.includes('node-broken')) sendStatus(response, 403, 'Forbidden');
      else sendJson(response, 200, { metadata: {}, items: pods });
    } else {
      const broken = { ...node(), metadata: { ...node().metadata, name: 'node-broken' } };
      const items = [liveNode, { ...broken, spec: { providerID: 'aws:///us-east-1a/i-broken' } }];
      sendJson(response, 200, { metadata: {}, items });
    }
  });
  const queue = new ListedQueue([terminationNotice('i-broken'), terminationNotice('i-gone'), terminationNotice('i-1')]);
  const messages: string[] = [];
  const log = (_: string, message: string) => void messages.push(message);
  const process = () =>
    processTerminations({ client: clientOf(server), queue, clock: realClock, policy: defaultRollPolicy.drain, log });
  await process();
  expect(queue.calls.sort()).toEqual(['complete i-gone', 'extend i-1']);
  expect(messages).toContain('termination handling failed');
  await process();
  expect(messages).toContain('eviction rejected');
  isAllowed = true;
  await process();
  await process();
  expect(queue.calls.slice(-2)).toEqual(['extend i-1', 'complete i-1']);
});

test('evicts pods of Jobs from a machine without a lifecycle hook', async () => {
  const evicted: string[] = [];
  const liveNode = node(new Date(realClock.now()).toISOString());
  const server = await serve(({ url }, response) => {
    if (url.includes('/eviction')) {
      evicted.push(url);
      sendJson(response, 201, {});
    } else
      sendJson(response, 200, { metadata: {}, items: url.includes('/pods') ? [pod('report', 'Job')] : [liveNode] });
  });
  const { hook: _, ...noticeWithoutHook } = terminationNotice('i-1');
  const log = (): void => undefined;
  const deps = { client: clientOf(server), clock: realClock, policy: defaultRollPolicy.drain, log };
  await processTerminations({ ...deps, queue: new ListedQueue([terminationNotice('i-1')]) });
  expect(evicted).toEqual([]);
  await processTerminations({ ...deps, queue: new ListedQueue([noticeWithoutHook]) });
  expect(evicted).toEqual(['/api/v1/namespaces/shop/pods/report/eviction']);
});
