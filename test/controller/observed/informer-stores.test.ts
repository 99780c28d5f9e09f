import * as fc from 'fast-check';
import { InformerStores } from '../../../lib/controller/observed/informer-stores';
import { SharedInformerFactory, type LiveObject } from '../../../lib/kube';
import { ManualClock } from '../../kube/manual-clock';
import { FakeApiServer } from '../fake-api-server';

const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { allocatable: { cpu: '8', pods: '20' }, conditions: [{ type: 'Ready', status: 'True' }] },
});
const pod = (name: string, on: string | undefined, cpu: number, phase: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec: { ...(on && { nodeName: on }), containers: [{ name: 'app', resources: { requests: { cpu: `${cpu}` } } }] },
  status: { phase },
});

describe('the stores of a controller', () => {
  it('return the free capacity of each node after any sequence of changes', async () => {
    const step = fc.record({
      pod: fc.nat(5),
      on: fc.constantFrom(undefined, 'one', 'two'),
      cpu: fc.integer({ min: 1, max: 3 }),
      phase: fc.constantFrom('Pending', 'Running', 'Succeeded'),
      deleted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const server = new FakeApiServer();
        const factory = new SharedInformerFactory({
          client: server,
          clock: new ManualClock(),
          onError: () => undefined,
        });
        const stores = new InformerStores(factory);
        for (const name of ['one', 'two']) server.put(node(name));
        factory.start();
        await factory.waitForCacheSync();
        await new Promise(setImmediate);
        const pods = new Map<number, (typeof steps)[number]>();
        for (const one of steps) {
          if (one.deleted) {
            pods.delete(one.pod);
            server.removeObject('Pod', 'shop', `pod-${one.pod}`);
          } else {
            // A pod stays on its node.
            const placed = { ...one, on: pods.get(one.pod)?.on ?? one.on };
            pods.set(one.pod, placed);
            server.put(pod(`pod-${one.pod}`, placed.on, placed.cpu, placed.phase) as unknown as LiveObject);
          }
          const expected = ['one', 'two'].map((name) => {
            const on = [...pods.values()].filter(({ on: where, phase }) => where === name && phase !== 'Succeeded');
            return { cpu: 8000 - on.reduce((sum, { cpu }) => sum + cpu * 1000, 0), pods: 20 - on.length };
          });
          expect(stores.freeNodes().map(({ free }) => free)).toEqual(expected);
        }
        await factory.stop();
      }),
      { numRuns: 50 },
    );
  });
});
