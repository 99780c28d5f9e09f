import { type ManifestInput } from '../../lib/api';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { controllerUser, describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

type Spec = ManifestInput<'PinterestService'>['spec'];

/** Kinds that a service expands to. */
const children = 'deployment,replicaset,service,ingress,hpa,pdb,serviceaccount,configmap,networkpolicy,pod';
const namespaceDefaults = ['configmap/kube-root-ca.crt', 'serviceaccount/default', 'serviceaccount/deployer'];

const withImage = (tag: string): Spec['template'] => {
  const { spec } = smallTemplate();
  return { spec: { ...spec, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] } };
};

describePinion('the lifecycle of a service', (pinion) => {
  const namespace = 'shop';
  const kubectl = new KubectlView(pinion, () => namespace);
  const kind = 'PinterestService';
  const cart: Spec = {
    replicas: 2,
    loadBalancer: { port: 80, targetPort: 8080 },
    config: { files: { '/etc/cart/cart.yaml': 'currency: EUR\n' } },
    template: withImage('1.0.0'),
  };
  const apply = (spec: Spec, name = 'cart') => pinion().apply(workloadOf(kind, namespace, name, spec));
  const ready = (name = 'cart') => pinion().ready(kind, namespace, name, 120_000);
  const replicasOf = async (name = 'cart') => (await kubectl.object('deployment', name))?.spec['replicas'];

  beforeAll(async () => {
    await pinion().project(namespace);
  }, 60_000);

  test('becomes Ready and owns its objects', async () => {
    await apply(cart);
    const live = await ready();
    expect(live.status).toMatchObject({ replicas: 2, readyReplicas: 2, updatedReplicas: 2, phase: 'Ready' });
    expect(isTrue(live, 'Reconciling') || isTrue(live, 'Stalled')).toBe(false);
    expect(
      await kubectl.names('deployment,service,ingress,pdb,configmap', '-l', 'pinterest.com/workload=cart'),
    ).toEqual(
      expect.arrayContaining([
        'deployment.apps/cart',
        'ingress.networking.k8s.io/cart',
        'poddisruptionbudget.policy/cart',
        'service/cart',
      ]),
    );
    const [owner] = (await kubectl.object('deployment', 'cart'))?.metadata.ownerReferences ?? [];
    expect(owner).toMatchObject({ kind, name: 'cart' });
    expect(live.status?.['children']).toHaveProperty(['Deployment/cart']);
  });

  test('kubectl output shows its status', async () => {
    const [row] = await kubectl.table('psvc', 'cart');
    expect(row).toMatchObject({ NAME: 'cart', READY: 'True', REPLICAS: '2', READYPODS: '2', UPDATED: '2' });
    const [wide] = await kubectl.table('psvc', 'cart', '-o', 'wide');
    expect(wide).toMatchObject({ PROFILE: 'default-1', REASON: 'Available' });
    expect(await kubectl.run('wait', '--for=condition=Ready', 'pinterestservice/cart', '--timeout=30s')).toContain(
      'condition met',
    );
    const explained = await kubectl.run('explain', 'psvc.spec.replicas');
    expect(explained).toContain('FIELD: replicas <integer>');
    expect(explained).toContain('Number of pods');
    const described = await kubectl.run('describe', 'psvc', 'cart');
    expect(described).toContain('All 2 pods are available.');
    const events = described.slice(described.indexOf('Events:'));
    expect(described).toMatch(/Children:[^]+Deployment\/cart:/);
    expect(events.match(/Normal +Ready /g)).toHaveLength(1);
    expect(events).not.toMatch(/\(x\d+ over/);
  });

  test('kubectl scale changes its number of pods, and the scale subresource has their selector', async () => {
    await kubectl.run('scale', 'psvc/cart', '--replicas=3');
    expect((await ready()).status).toMatchObject({ replicas: 3, readyReplicas: 3 });
    const scale = await kubectl.run(
      'get',
      '--raw',
      `/apis/pinterest.com/v1/namespaces/${namespace}/pinterestservices/cart/scale`,
    );
    const { status } = JSON.parse(scale) as { status: { replicas: number; selector: string } };
    expect(status.replicas).toBe(3);
    expect(await kubectl.names('pods', '-l', status.selector)).toHaveLength(3);
    await kubectl.run('scale', 'psvc/cart', '--replicas=2');
    expect((await ready()).status).toMatchObject({ replicas: 2 });
  });

  test('a new image replaces its pods', async () => {
    const before = await kubectl.uids('cart');
    await apply({ ...cart, template: withImage('1.1.0') });
    await ready();
    const pods = await kubectl.pods('cart');
    expect(pods.map(({ spec }) => spec.containers.find(({ name }) => name === 'app')?.image)).toEqual(
      Array(2).fill('registry.example.com/app:1.1.0'),
    );
    expect(pods.some(({ metadata }) => before.includes(metadata.uid))).toBe(false);
  });

  test('new configuration replaces its pods, and the old ConfigMap is kept while a revision refers to it', async () => {
    const configMaps = async () => kubectl.names('configmap', '-l', 'pinterest.com/workload=cart');
    const before = await configMaps();
    const pods = await kubectl.uids('cart');
    const next = {
      ...cart,
      config: { files: { '/etc/cart/cart.yaml': 'currency: USD\n' } },
      template: withImage('1.1.0'),
    };
    await apply(next);
    await ready();
    expect(await kubectl.uids('cart')).not.toEqual(expect.arrayContaining([...pods]));
    const afterChange = await configMaps();
    expect(afterChange).toEqual(expect.arrayContaining([...before]));
    expect(afterChange.length).toBeGreaterThan(before.length);
    // Without history no ReplicaSet of the old version is kept.
    await apply({ ...next, rollout: { revisionHistoryLimit: 0 } });
    await waitFor('the old configuration to be gone', async () => (await configMaps()).length === before.length, {
      timeout: 60_000,
    });
    await ready();
    expect((await configMaps()).some((name) => !before.includes(name))).toBe(true);
  });

  test('a change of its port changes only its Service', async () => {
    const pods = await kubectl.uids('cart');
    await apply({
      ...cart,
      config: { files: { '/etc/cart/cart.yaml': 'currency: USD\n' } },
      template: withImage('1.1.0'),
      rollout: { revisionHistoryLimit: 0 },
      loadBalancer: { port: 81, targetPort: 8080 },
    });
    await kubectl.until('service', 'cart', ({ spec }) => (spec['ports'] as { port: number }[])[0]?.port === 81);
    await ready();
    expect(await kubectl.uids('cart')).toEqual(pods);
  });

  test('drift of owned fields is corrected, and fields of other managers are kept', async () => {
    await kubectl.run('annotate', 'deployment', 'cart', 'mesh.example.com/revision=7');
    await kubectl.run('set', 'image', 'deployment/cart', 'app=registry.example.com/other:9');
    await kubectl.run('delete', 'service', 'cart');
    await kubectl.until('service', 'cart', () => true);
    const healed = await kubectl.until('deployment', 'cart', (live) =>
      JSON.stringify(live.spec).includes('/app:1.1.0'),
    );
    expect(healed.metadata.annotations).toMatchObject({ 'mesh.example.com/revision': '7' });
    await ready();
  });

  test('replicas move to an autoscaler and back without a jump', async () => {
    const [start, scaled] = [{ replicas: 2 }, { autoscaling: { minReplicas: 4, maxReplicas: 8, cpu: 60 } }];
    const template = withImage('1.0.0');
    await apply({ ...start, template }, 'queue');
    await ready('queue');
    const observed = new Set<unknown>();
    await apply({ ...scaled, template }, 'queue');
    await waitFor(
      'the autoscaler to set replicas',
      async () => {
        const now = await replicasOf('queue');
        observed.add(now);
        return now === 4;
      },
      { timeout: 120_000 },
    );
    expect([...observed].filter((count) => count !== 2 && count !== 4)).toEqual([]);
    await ready('queue');
    await kubectl.run('scale', 'deployment/queue', '--replicas=5');
    await pinion().until(kind, namespace, 'queue', ({ status }) => status?.['readyReplicas'] === 5, 90_000);
    const pods = await kubectl.uids('queue');
    await apply({ replicas: 5, template }, 'queue');
    await kubectl.gone('hpa');
    await ready('queue');
    expect(await replicasOf('queue')).toBe(5);
    expect(await kubectl.uids('queue')).toEqual(pods);
    await kubectl.run('delete', 'psvc', 'queue');
  });

  test('objects that are no longer needed are deleted', async () => {
    await apply({ replicas: 1, template: withImage('1.1.0') });
    await ready();
    await kubectl.gone('service,ingress,hpa');
    expect(await kubectl.names('configmap', '-l', 'pinterest.com/workload=cart')).not.toContain('cart');
    expect(await kubectl.pods('cart')).toHaveLength(1);
  });

  test('an idle controller sends only watches and lease renewals', async () => {
    await pinion().until(kind, namespace, 'cart', (live) => isTrue(live, 'Ready'));
    const requestsWhileIdle = async () => {
      const mark = pinion().cluster.audit.mark();
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      const counts = pinion().cluster.audit.counts(mark, { user: controllerUser });
      return Object.keys(counts).filter((request) => !/ watch | leases$/.test(request));
    };
    // Workload counts in platform resources are written with a delay.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(await requestsWhileIdle()).toEqual([]);
  });

  test('deleting it deletes all of its objects', async () => {
    await apply(cart);
    await ready();
    await kubectl.run('delete', 'psvc', 'cart', '--wait=false');
    await kubectl.gone(children, namespaceDefaults);
    expect(await pinion().read(kind, namespace, 'cart')).toBeUndefined();
  });
});
