import { type ManifestInput } from '../../lib/api';
import { pinion as command } from '../cli/terminal';
import { KubectlView } from './kubectl-view';
import { describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

describePinion('adoption of existing objects', (pinion) => {
  const namespace = 'shop';
  const kubectl = new KubectlView(pinion, () => namespace);
  const service = (fields: Partial<ManifestInput<'PinterestService'>['spec']> = {}) =>
    workloadOf('PinterestService', namespace, 'cart', {
      replicas: 2,
      loadBalancer: { port: 80 },
      template: smallTemplate(),
      ...fields,
    });
  const database = (fields: Partial<ManifestInput<'PinterestStatefulSet'>['spec']> = {}) =>
    workloadOf('PinterestStatefulSet', namespace, 'db', {
      replicas: 2,
      volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
      template: smallTemplate(),
      ...fields,
    });
  const nightlyJob = (fields: Partial<ManifestInput<'PinterestCronJob'>['spec']> = {}) =>
    workloadOf('PinterestCronJob', namespace, 'nightly', {
      schedule: '0 3 * * *',
      template: smallTemplate(),
      ...fields,
    });
  /** Deploys the native objects of the manifests, as a deployment without the controller does. */
  const deployNatively = async (...documents: readonly object[]) => {
    const text = documents.map((document) => JSON.stringify(document)).join('\n---\n');
    const { code, out, err } = await command(['render', '-', '-o', 'json'], text);
    if (code !== 0) throw new Error(err);
    const { items } = JSON.parse(out) as { readonly items: readonly object[] };
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const applied = await pinion().cluster.kubectl(['apply', '-f', '-'], list);
    if (applied.code !== 0) throw new Error(applied.stderr);
    return items as readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
  };
  const waitForRollout = (resource: string) => kubectl.run('rollout', 'status', resource, '--timeout=90s');

  beforeAll(async () => {
    await pinion().project(namespace);
  }, 60_000);

  test('reports the owner of a conflicting name and uses the name once it is free', async () => {
    await pinion().cluster.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'front', namespace },
        spec: {
          selector: { matchLabels: { app: 'front' } },
          template: { metadata: { labels: { app: 'front' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
        },
      }),
    );
    const existingUid = (await kubectl.object('deployment', 'front'))?.metadata.uid;
    const front = { loadBalancer: { port: 80 }, template: smallTemplate() };
    await pinion().apply(workloadOf('PinterestService', namespace, 'front', front));
    const conflicting = await pinion().until(
      'PinterestService',
      namespace,
      'front',
      ({ status }) => status?.cause?.reason === 'NameConflict',
    );
    expect(isTrue(conflicting, 'Stalled')).toBe(true);
    expect(conflicting.status?.cause).toMatchObject({ owner: 'application', object: 'Deployment/front' });
    expect(conflicting.status?.cause?.message).toContain(
      'Deployment front exists and belongs to another client: it was written by kubectl',
    );
    expect((await kubectl.object('deployment', 'front'))?.metadata.uid).toBe(existingUid);
    // A Service without its own pods would route traffic nowhere, or to pods of the other owner.
    expect(await kubectl.names('service')).not.toContain('service/front');
    // It exists until its last pod is gone; the name is free only then.
    await kubectl.run('delete', 'deployment', 'front', '--cascade=foreground', '--wait=false');
    const healed = await pinion().ready('PinterestService', namespace, 'front', 90_000);
    expect(healed.status?.cause).toBeUndefined();
    expect(await kubectl.names('service')).toContain('service/front');
    expect((await kubectl.object('deployment', 'front'))?.metadata.uid).not.toBe(existingUid);
    await kubectl.run('delete', 'psvc', 'front');
    await kubectl.gone('service,ingress');
  }, 150_000);

  test('reports the workload that owns a conflicting name and takes the name once that workload is deleted', async () => {
    await pinion().apply(service());
    await pinion().ready('PinterestService', namespace, 'cart');
    const claimed = workloadOf('PinterestStatefulSet', namespace, 'cart', { template: smallTemplate() });
    await pinion().apply({
      ...claimed,
      spec: { ...claimed.spec, ports: [{ name: 'http', port: 80 }] },
    } as ManifestInput);
    const conflicting = await pinion().until(
      'PinterestStatefulSet',
      namespace,
      'cart',
      ({ status }) => status?.cause?.reason === 'NameConflict',
    );
    expect(conflicting.status?.cause?.message).toContain('belongs to PinterestService cart');
    expect(conflicting.status?.cause?.message).toContain('remove the other owner');
    await kubectl.run('delete', 'psvc', 'cart');
    await pinion().ready('PinterestStatefulSet', namespace, 'cart', 120_000);
    await kubectl.run('delete', 'psts', 'cart');
    await kubectl.gone('service,statefulset');
  }, 240_000);

  test('adopts a natively deployed service only on request and restarts no pod', async () => {
    const items = await deployNatively(service());
    await waitForRollout('deployment/cart');
    const pods = await kubectl.uids('cart');
    await kubectl.run('annotate', 'deployment', 'cart', 'mesh.example.com/revision=7');
    await pinion().apply(service());
    await pinion().until(
      'PinterestService',
      namespace,
      'cart',
      ({ status }) => status?.cause?.reason === 'NameConflict',
    );
    expect((await kubectl.object('deployment', 'cart'))?.metadata.ownerReferences).toBeUndefined();
    await pinion().apply(service({ adopt: true }));
    await pinion().ready('PinterestService', namespace, 'cart', 90_000);
    for (const { kind, metadata } of items) {
      const { metadata: adopted } = (await kubectl.object(kind, metadata.name)) ?? {};
      expect(adopted?.ownerReferences).toEqual([expect.objectContaining({ kind: 'PinterestService', name: 'cart' })]);
    }
    expect((await kubectl.object('deployment', 'cart'))?.metadata.annotations).toHaveProperty(
      ['mesh.example.com/revision'],
      '7',
    );
    expect(await kubectl.uids('cart')).toEqual(pods);
    expect(pods).toHaveLength(2);
    // The controller now owns the fields of the native deployment and removes those that are dropped.
    await pinion().apply(
      workloadOf('PinterestService', namespace, 'cart', { adopt: true, replicas: 2, template: smallTemplate() }),
    );
    await kubectl.gone('ingress');
    await pinion().ready('PinterestService', namespace, 'cart', 90_000);
  }, 240_000);

  test('adopts a natively deployed stateful set and cron job without a restart', async () => {
    await deployNatively(database(), nightlyJob());
    await waitForRollout('statefulset/db');
    const pods = await kubectl.uids('db');
    const [set, schedule] = [await kubectl.object('statefulset', 'db'), await kubectl.object('cronjob', 'nightly')];
    await pinion().apply(database({ adopt: true }));
    await pinion().apply(nightlyJob({ adopt: true }));
    await pinion().ready('PinterestStatefulSet', namespace, 'db', 90_000);
    await pinion().ready('PinterestCronJob', namespace, 'nightly', 90_000);
    expect(await kubectl.uids('db')).toEqual(pods);
    expect((await kubectl.object('statefulset', 'db'))?.metadata).toMatchObject({
      uid: set?.metadata.uid,
      ownerReferences: [{ kind: 'PinterestStatefulSet', name: 'db' }],
    });
    expect((await kubectl.object('cronjob', 'nightly'))?.metadata).toMatchObject({
      uid: schedule?.metadata.uid,
      ownerReferences: [{ kind: 'PinterestCronJob', name: 'nightly' }],
    });
  }, 240_000);
});
