import { expectStatus } from '../control-plane/api-response';
import { describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

describePinion('large job set', (pinion) => {
  test('completes 200 shards with one Job each, 50 at a time', async () => {
    const namespace = await pinion().project('scale');
    await pinion().apply(
      workloadOf('PinterestJobSet', namespace, 'many', {
        ...{ shards: 200, parallelism: 50, template: smallTemplate() },
        configTemplates: [{ name: 'input', mountPath: '/etc/input', data: { shard: '1' } }],
      }),
    );
    const complete = await pinion().until(
      'PinterestJobSet',
      namespace,
      'many',
      (document) => isTrue(document, 'Complete'),
      600_000,
    );
    expect(complete.status).toMatchObject({ shards: { succeeded: 200, failed: 0, active: 0 } });
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const { body } = expectStatus(await pinion().cluster.client.request('GET', path), [200]);
    expect((body as { items: readonly unknown[] }).items).toHaveLength(200);
  }, 720_000);
});
