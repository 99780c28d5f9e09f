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

  describe('with the headless Service of its members', () => {
    const port = { name: 'peers', port: 7000, protocol: 'TCP' } as const;
    const ensemble = (fields: Partial<ManifestInput<'PinterestStatefulSet'>['spec']> = {}) =>
      workloadOf('PinterestStatefulSet', namespace, 'zk', {
        replicas: 2,
        membersService: 'zk-headless',
        ports: [port],
        volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
        template: smallTemplate(),
        ...fields,
      });
    const nativeService = (name: string, spec: object) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: { app: 'zk' }, ports: [port], ...spec },
    });
    const native = [
      nativeService('zk-headless', { clusterIP: 'None', publishNotReadyAddresses: true }),
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'zk', namespace },
        spec: {
          replicas: 2,
          serviceName: 'zk-headless',
          selector: { matchLabels: { app: 'zk' } },
          template: {
            metadata: { labels: { app: 'zk' } },
            spec: {
              securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
              containers: smallTemplate().spec.containers.map((container) => ({
                ...container,
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              })),
            },
          },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      },
    ];
    const applyNatively = async (...items: readonly object[]) => {
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      expect(await pinion().cluster.kubectl(['apply', '-f', '-'], list)).toMatchObject({ code: 0 });
    };

    test('an ensemble keeps its Service, host names and volumes as "pinion import" describes', async () => {
      await applyNatively(...native);
      await waitForRollout('statefulset/zk');
      const [before, claim] = [
        await kubectl.object('service', 'zk-headless'),
        await kubectl.object('pvc', 'data-zk-0'),
      ];
      const labels = ['pinterest.com/kind=PinterestStatefulSet', 'pinterest.com/workload=zk'];
      await kubectl.run('label', 'pods', '-l', 'app=zk', ...labels);
      await kubectl.run('delete', 'statefulset', 'zk', '--cascade=orphan');
      await pinion().apply(ensemble({ adopt: true }));
      await pinion().ready('PinterestStatefulSet', namespace, 'zk', 150_000);
      expect((await kubectl.object('service', 'zk-headless'))?.metadata).toMatchObject({
        uid: before?.metadata.uid,
        ownerReferences: [{ kind: 'PinterestStatefulSet', name: 'zk' }],
      });
      expect((await kubectl.object('pvc', 'data-zk-0'))?.metadata.uid).toBe(claim?.metadata.uid);
      expect((await kubectl.object('pod', 'zk-0'))?.spec).toMatchObject({ hostname: 'zk-0', subdomain: 'zk-headless' });
    }, 240_000);

    test('the name of the Service cannot change', async () => {
      const { stderr } = await pinion().cluster.kubectl(
        ['apply', '--server-side', '--force-conflicts', '-f', '-'],
        JSON.stringify(ensemble({ adopt: true, membersService: 'zk-other' })),
      );
      expect(stderr).toContain('spec.membersService');
      expect(stderr).toContain('is immutable');
      await kubectl.run('delete', 'psts', 'zk', '--cascade=foreground');
    }, 90_000);

    test.each([
      ['without "adopt"', false, { clusterIP: 'None' }, 'exists and belongs to another client'],
      ['if it has an address', true, {}, 'has an address of its own'],
    ])(
      'a Service of another client is left alone %s',
      async (_, adopt, spec, message) => {
        await applyNatively(nativeService('payments', spec));
        const before = await kubectl.object('service', 'payments');
        await pinion().apply(ensemble({ adopt, membersService: 'payments' }));
        const blocked = await pinion().until(
          'PinterestStatefulSet',
          namespace,
          'zk',
          ({ status }) => status?.cause?.reason === 'NameConflict',
        );
        expect(blocked.status?.cause?.message).toContain(message);
        const after = await kubectl.object('service', 'payments');
        expect([after?.metadata.uid, after?.metadata.ownerReferences, after?.spec]).toEqual([
          before?.metadata.uid,
          undefined,
          before?.spec,
        ]);
        await kubectl.run('delete', 'psts/zk', 'service/payments', '--cascade=foreground');
      },
      120_000,
    );
  });
});
