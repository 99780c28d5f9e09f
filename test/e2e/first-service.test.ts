import { describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

describePinion('a service by its custom resource', (pinion) => {
  test('becomes Ready, and what it became belongs to it', async () => {
    const namespace = await pinion().project('shop');
    await pinion().apply(
      workloadOf('PinterestService', namespace, 'cart', { replicas: 2, loadBalancer: { port: 80 }, template: smallTemplate() }),
    );
    const ready = await pinion().ready('PinterestService', namespace, 'cart');
    expect(ready.status).toMatchObject({ readyReplicas: 2, phase: 'Ready' });
    expect(isTrue(ready, 'Ready')).toBe(true);
    const listed = await pinion().cluster.kubectl(['get', 'deployment,service,psvc', '-n', namespace, '-o', 'name']);
    expect(listed.stdout).toContain('deployment.apps/cart');
  });
});
