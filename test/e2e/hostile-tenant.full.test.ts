import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expectStatus } from '../control-plane/api-response';
import { inParallel } from './cluster-setup';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

/** Megabytes of ConfigMaps that a tenant creates; the controller's heap is limited to less. */
const configMaps = 600;
const heapMegabytes = 384;

describePinion('hostile tenant with many large ConfigMaps', (pinion) => {
  const residentMegabytes = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pinion().controller.pid}/status`, 'utf8'))?.[1]) / 1024;

  test('the controller restarts and works, whatever labels they have', async () => {
    const project = await pinion().project('shop');
    const { client } = pinion().cluster;
    const path = `/api/v1/namespaces/${project}/configmaps`;
    await inParallel(
      Array.from({ length: configMaps }, (_, index) => index),
      async (index) => {
        const labels = index % 2 === 0 ? { 'app.kubernetes.io/managed-by': 'pinion' } : {};
        const data = { blob: randomBytes(700_000).toString('base64') };
        expectStatus(await client.request('POST', path, { metadata: { name: `blob-${index}`, labels }, data }), [201]);
      },
    );
    await pinion().controller.kill();
    const lease = '/apis/coordination.k8s.io/v1/namespaces/pinion-controller/leases/pinion-controller';
    expectStatus(await client.request('DELETE', lease), [200]);
    await pinion().startController({ nodeFlags: [`--max-old-space-size=${heapMegabytes}`] });
    await pinion().apply(workloadOf('PinterestService', project, 'cart', { replicas: 1, template: smallTemplate() }));
    await pinion().ready('PinterestService', project, 'cart');
    // Far below the total of the ConfigMaps, and below the memory limit of the installation.
    expect(residentMegabytes()).toBeLessThan(700);
  }, 300_000);
});
