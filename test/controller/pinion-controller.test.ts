import { apiVersion, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { ApiError } from '../../lib/kube';
import { ControllerFixture } from './controller-fixture';

let at: ControllerFixture;
beforeEach(() => {
  at = new ControllerFixture();
});
afterEach(async () => {
  at.server.delay = () => Promise.resolve();
  await at.stop();
});

const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};
const template = {
  spec: {
    containers: [
      {
        name: 'app',
        image: 'registry.example.com/cart:1',
        ports: [{ name: 'http', containerPort: 8080 }],
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '64Mi' } },
      },
    ],
  },
};
const service = (name: string): ManifestInput<'PinterestService'> => ({
  apiVersion,
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: { replicas: 1, ports: [{ name: 'http', port: 80 }], template } as ManifestInput<'PinterestService'>['spec'],
});
const onDriver = [{ name: 'driver', status: 'Ready' }];
const jobSet = (name: string): ManifestInput<'PinterestJobSet'> => ({
  apiVersion,
  kind: 'PinterestJobSet',
  metadata: { name, namespace: 'shop' },
  spec: { template, shards: 1 } as unknown as ManifestInput<'PinterestJobSet'>['spec'],
});

/** Write requests since the last call. */
const writesSinceLastCall = (): string[] =>
  at.server.written.splice(0).map(({ verb, kind, name }) => `${verb} ${kind} ${name}`);

describe('a controller', () => {
  it('creates the objects of a service', async () => {
    await at.start(project, service('cart'));
    expect(at.server.find('Deployment', 'shop', 'cart')).toBeDefined();
    expect(at.server.find('Namespace', '', 'shop')).toBeDefined();
    expect(at.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });

  describe('limited to a scope', () => {
    const readsOf = (): readonly string[] => [...at.server.watchedKinds()].sort();

    it('of workloads writes no object or status of Projects and the Platform', async () => {
      at.limitTo('workloads');
      await at.start(project, service('cart'));
      expect(at.server.find('Deployment', 'shop', 'cart')).toBeDefined();
      expect(at.server.find('Namespace', '', 'shop')).toBeUndefined();
      expect([at.status('Project', '', 'shop'), at.status('Platform', '', 'cluster')]).toEqual([{}, {}]);
      expect(readsOf()).not.toContain('Namespace');
    });

    it('of the platform writes nothing of workloads, but counts them, and watches neither pods nor nodes', async () => {
      at.limitTo('platform');
      await at.start(project, service('cart'));
      expect(at.server.find('Namespace', '', 'shop')).toBeDefined();
      expect(at.status('Project', '', 'shop')).toMatchObject({ workloads: 1 });
      expect(at.server.find('Deployment', 'shop', 'cart')).toBeUndefined();
      expect(at.status('PinterestService', 'shop', 'cart')).toEqual({});
      for (const kind of ['Pod', 'Node', 'Event', 'Deployment']) expect(readsOf()).not.toContain(kind);
    });
  });

  it('records an event for a new service once its objects exist, not for each of them', async () => {
    await at.start(project);
    at.apply(service('cart'));
    await at.settle();
    expect(writesSinceLastCall().filter((line) => line.includes('cart'))).not.toContain('status PinterestService cart');
    await at.settle(1000);
    expect(writesSinceLastCall().filter((line) => line.includes('cart') || line.startsWith('event'))).toEqual([
      'status PinterestService cart',
    ]);
  });

  it('records at once which jobs of a new run others wait for', async () => {
    await at.start(project);
    const names = ['driver', 'workers'];
    const jobs = names.map((name) => ({ name, template, ...(name === 'workers' && { dependsOn: onDriver }) }));
    at.apply({ ...jobSet('crawl'), spec: { replicatedJobs: jobs } as ManifestInput<'PinterestJobSet'>['spec'] });
    await at.settle();
    expect(at.status('PinterestJobSet', 'shop', 'crawl')).toMatchObject({ awaitedJobs: ['driver'] });
  });

  it('keeps a new run without a status on the profile of its Job', async () => {
    await at.start(project);
    at.apply(jobSet('sweep'));
    await at.settle();
    expect(at.status('PinterestJobSet', 'shop', 'sweep')).toEqual({});
    const startTime = new Date(at.clock.now()).toISOString();
    at.change('Job', 'shop', 'sweep', (job) => ({ ...job, status: { startTime, active: 1 } }));
    const changed = { ...defaultPlatform.spec, runtime: { ...defaultPlatform.spec.runtime, profile: 'later-1' } };
    const [first, ...others] = defaultProfile.spec.parts;
    at.apply({
      ...defaultProfile,
      metadata: { name: 'later-1' },
      spec: { ...defaultProfile.spec, parts: first ? others : [] },
    });
    at.apply({ ...defaultPlatform, spec: { ...changed, runtime: { ...changed.runtime, rollout: 'Immediate' } } });
    const { uid } = at.server.find('Job', 'shop', 'sweep')?.metadata ?? {};
    await at.settle(1000);
    const { runtimeProfile, phase } = at.status('PinterestJobSet', 'shop', 'sweep');
    expect({ runtimeProfile, phase }).toEqual({ runtimeProfile: defaultProfile.metadata.name, phase: 'Running' });
    expect(at.server.find('Job', 'shop', 'sweep')?.metadata.uid).toBe(uid);
  });

  it('reports that a project waits while the profile in force is unknown, and creates it when the profile appears', async () => {
    const later: ManifestInput = {
      ...defaultPlatform,
      spec: { ...defaultPlatform.spec, runtime: { profile: 'later-1' } },
    };
    at.apply(later, project);
    await at.cache.start();
    at.controller.start();
    await at.settle();
    expect(at.ready('Project', '', 'shop').status).toBe('False');
    at.apply({ ...defaultProfile, metadata: { name: 'later-1' } });
    await at.settle(60_000);
    expect(at.server.find('Namespace', '', 'shop')).toBeDefined();
    expect(at.ready('Project', '', 'shop').status).toBe('True');
    const eventNames = at.server.written.filter(({ kind }) => kind === 'Event').map(({ name }) => name);
    expect(eventNames).toContain('InvalidPlatform');
    expect(eventNames).toContain('Ready');
  });

  it('gives a name that another workload held to the one that waits for it', async () => {
    await at.start(project, service('cart'));
    at.apply({ ...jobSet('cart'), spec: { ...jobSet('cart').spec, dnsNames: true } });
    await at.settle();
    expect(at.ready('PinterestJobSet', 'shop', 'cart').message).toContain('Service cart');
    at.server.removeObject('PinterestService', 'shop', 'cart');
    await at.settle();
    at.server.removeObject('Service', 'shop', 'cart');
    await at.settle();
    const owner = at.server.find('Service', 'shop', 'cart')?.metadata.ownerReferences?.[0];
    expect(owner?.kind).toBe('PinterestJobSet');
  });

  it('restores a removed owner reference of an object', async () => {
    await at.start(project, service('cart'));
    at.change('Service', 'shop', 'cart', (object) => {
      const { ownerReferences: _, ...metadata } = object.metadata;
      return { ...object, metadata };
    });
    await at.settle();
    expect(at.server.find('Service', 'shop', 'cart')?.metadata.ownerReferences?.[0]?.name).toBe('cart');
  });

  it('reverts changes to the daemon of a node-level part', async () => {
    at.apply(defaultProfile);
    await at.start(project);
    const daemon = at.server.written.find(({ kind }) => kind === 'PinterestDaemon')?.name ?? '';
    const namespace = at.server.written.find(({ kind, verb }) => kind === 'Project' && verb === 'apply')?.name ?? '';
    expect(at.server.find('PinterestDaemon', namespace, daemon)).toBeDefined();
    at.change('PinterestDaemon', namespace, daemon, (object) => ({
      ...object,
      spec: {
        ...(object['spec'] as object),
        template: { spec: { containers: [{ name: 'other', image: 'other:1' }] } },
      },
    }));
    await at.settle();
    const { template } = at.server.find('PinterestDaemon', namespace, daemon)?.['spec'] as { template: unknown };
    expect(JSON.stringify(template)).not.toContain('other:1');
  });

  it('moves the daemons of node-level parts when their project changes', async () => {
    await at.start(project);
    const daemons = at.server.written.filter(({ kind, verb }) => kind === 'PinterestDaemon' && verb === 'apply');
    expect(daemons.length).toBeGreaterThan(0);
    const runtime = { ...defaultPlatform.spec.runtime, profile: 'default-1', project: 'machines' };
    at.apply({ ...defaultPlatform, spec: { ...defaultPlatform.spec, runtime } });
    await at.settle(60_000);
    const deleted = at.server.written.filter(({ kind, verb }) => kind === 'PinterestDaemon' && verb === 'delete');
    expect(deleted.map(({ name }) => name).sort()).toEqual(daemons.map(({ name }) => name).sort());
    for (const { name } of daemons) expect(at.server.find('PinterestDaemon', 'machines', name)).toBeDefined();
  });

  it('recreates a deleted claim that outlives its job set', async () => {
    const volumeClaimTemplates = [{ name: 'data', size: '1Gi', mountPath: '/data' }];
    const spec = { ...jobSet('index').spec, volumeClaimTemplates, claimRetention: 'Retain' as const };
    await at.start(project, { ...jobSet('index'), spec });
    await at.settle();
    expect(at.server.find('PersistentVolumeClaim', 'shop', 'data-index-0')?.metadata.ownerReferences).toBeUndefined();
    at.server.removeObject('PersistentVolumeClaim', 'shop', 'data-index-0');
    await at.settle();
    expect(at.server.find('PersistentVolumeClaim', 'shop', 'data-index-0')).toBeDefined();
  });

  it('keeps no key of workloads that were created and deleted while another replica leads', async () => {
    at.apply(defaultProfile, defaultPlatform, project);
    await at.cache.start();
    for (let round = 0; round < 100; round++) {
      at.apply(service(`run-${round}`));
      at.server.removeObject('PinterestService', 'shop', `run-${round}`);
    }
    await at.clock.advance(60_000);
    const depth = await at.registry.getSingleMetric('workqueue_depth')?.get();
    expect(depth?.values[0]?.value).toBeLessThan(10);
    at.controller.start();
    await at.settle();
    expect(at.server.find('Namespace', '', 'shop')).toBeDefined();
  });

  it('leaves running workloads alone when the Platform is deleted or invalid', async () => {
    await at.start(project, service('cart'));
    writesSinceLastCall();
    at.change('Platform', '', 'cluster', (object) => ({ ...object, spec: { cluster: 7 } }));
    await at.settle(60_000);
    at.apply(defaultPlatform);
    await at.settle(60_000);
    expect(at.ready('Project', '', 'shop').status).toBe('True');
    at.server.removeObject('Platform', '', 'cluster');
    await at.settle(60_000);
    expect(at.ready('Project', '', 'shop').status).toBe('False');
    expect(writesSinceLastCall().filter((request) => /^(apply|delete)/.test(request))).toEqual([]);
  });

  it('resyncs all objects periodically, and retries permanent rejections', async () => {
    await at.start(project, service('cart'));
    await at.settle(5 * 60_000);
    writesSinceLastCall();
    const passes = () => at.registry.getSingleMetric('pinion_reconcile_total')?.get();
    const before = JSON.stringify(await passes());
    await at.settle(12 * 60_000);
    expect(JSON.stringify(await passes())).not.toBe(before);
    expect(writesSinceLastCall()).toEqual([]);
  });

  it('treats a change made while the Platform was invalid as a deploy', async () => {
    const named = (name: string, version: string): ManifestInput<'RuntimeProfile'> => ({
      ...defaultProfile,
      metadata: { name },
      spec: { ...defaultProfile.spec, version, summary: name },
    });
    const on = (profile: string): ManifestInput<'Platform'> => ({
      ...defaultPlatform,
      spec: { ...defaultPlatform.spec, runtime: { profile, rollout: 'OnNextDeploy', rolloutDeadline: '30d' } },
    });
    const profileOf = () => at.status('PinterestService', 'shop', 'cart')['runtimeProfile'];
    at.apply(named('one-1', '1.0.0'), named('two-1', '2.0.0'), on('one-1'), project, service('cart'));
    await at.cache.start();
    at.controller.start();
    await at.settle(10_000);
    at.apply(on('two-1'));
    await at.settle(10_000);
    expect(profileOf()).toBe('one-1');
    at.change('Platform', '', 'cluster', (object) => ({ ...object, spec: { cluster: 7 } }));
    await at.settle(10_000);
    const { spec } = service('cart');
    at.apply({ ...service('cart'), spec: { ...spec, annotations: { 'example.com/note': 'changed' } } as typeof spec });
    await at.settle(10_000);
    at.apply(on('two-1'));
    await at.settle(10_000);
    expect(profileOf()).toBe('two-1');
  });

  it('reports a node-level part that cannot be expanded in the status of the Platform', async () => {
    const parts = (defaultProfile.spec.parts ?? []).map((part) =>
      part.node
        ? { ...part, node: { daemon: { template: { spec: { containers: [{ name: 'Not A Name' }] } } } } }
        : part,
    );
    at.apply(defaultProfile, defaultPlatform, project, service('cart'));
    at.change('RuntimeProfile', '', 'default-1', (object) => ({ ...object, spec: { ...defaultProfile.spec, parts } }));
    await at.cache.start();
    at.controller.start();
    await at.settle(10_000);
    expect(at.ready('Platform', '', 'cluster')).toMatchObject({ status: 'False' });
    expect(at.lines.filter(({ message }) => message === 'reconcile failed')).toEqual([]);
  });

  it('recreates nothing for a deleted or replaced service before the watch reports the deletion', async () => {
    await at.start(project, service('cart'));
    await at.settle(5000);
    const releaseServices = at.server.holdBack('PinterestService');
    at.server.removeObject('PinterestService', 'shop', 'cart');
    at.server.removeObject('Deployment', 'shop', 'cart');
    writesSinceLastCall();
    await at.settle(10_000);
    expect(writesSinceLastCall()).toEqual([]);
    at.apply(service('cart'));
    at.server.removeObject('Service', 'shop', 'cart');
    await at.settle(10_000);
    expect(writesSinceLastCall()).toEqual([]);
    releaseServices();
    await at.settle(10_000);
    const { uid } = at.server.find('PinterestService', 'shop', 'cart')?.metadata ?? {};
    for (const kind of ['Deployment', 'Service'])
      expect(at.server.find(kind, 'shop', 'cart')?.metadata.ownerReferences?.[0]?.uid).toBe(uid);
  });

  it('recreates a deleted object', async () => {
    await at.start(project, service('cart'));
    await at.settle(5000);
    at.server.removeObject('Deployment', 'shop', 'cart');
    await at.settle();
    expect(at.server.find('Deployment', 'shop', 'cart')).toBeDefined();
  });

  it('does not fight endlessly with another controller that reverts its changes', async () => {
    await at.start(project, service('cart'));
    writesSinceLastCall();
    let reverted = 0;
    const undo = (): void => {
      if ((reverted += 1) > 300) return;
      at.change('Deployment', 'shop', 'cart', (object) => {
        const spec = object['spec'] as { readonly replicas: number };
        return { ...object, spec: { ...spec, replicas: 10 + reverted } };
      });
    };
    at.server.delay = async (verb, kind) => {
      if (verb === 'apply' && kind === 'Deployment') setImmediate(() => setImmediate(undo));
      await Promise.resolve();
    };
    undo();
    for (let round = 0; round < 100; round++) await at.settle(1);
    const applied = writesSinceLastCall().filter((request) => request === 'apply Deployment cart').length;
    expect(applied).toBeGreaterThan(10);
    expect(applied).toBeLessThan(25);
    // Eventually it does correct the drift.
    at.server.delay = () => Promise.resolve();
    await at.settle(20_000);
    expect(at.server.find('Deployment', 'shop', 'cart')?.['spec']).toMatchObject({ replicas: 1 });
  });

  it('starts with changes made while there was no leader', async () => {
    const projects = Array.from({ length: 40 }, (_, index) => ({ ...project, metadata: { name: `team-${index}` } }));
    at.apply(defaultProfile, defaultPlatform, ...projects);
    await at.cache.start();
    await at.clock.advance(120_000);
    const [last] = projects.slice(-1);
    if (last) at.apply({ ...last, spec: { team: 'another' } });
    at.controller.start();
    await at.settle();
    expect(at.server.written.find(({ verb, kind }) => verb === 'apply' && kind === 'Namespace')?.name).toBe('team-39');
    expect(projects.every(({ metadata }) => at.server.find('Namespace', '', metadata.name))).toBe(true);
  });

  it('stays healthy during a long reconcile with many requests', async () => {
    const overrides = Array.from({ length: 3 }, (_, index) => ({ shards: [index], args: [`${index}`] }));
    await at.start(project);
    let requests = 0;
    at.server.delay = async (verb) => {
      if (verb !== 'apply') return;
      requests += 1;
      await new Promise<void>((resolve) => at.clock.after(300_000, resolve));
    };
    at.apply({ ...jobSet('index'), spec: { ...jobSet('index').spec, shards: 3, overrides } } as ManifestInput);
    for (let minute = 0; minute < 34; minute++) {
      await at.clock.advance(60_000);
      expect(at.controller.unhealthyReason()).toBeUndefined();
    }
    expect(requests).toBeGreaterThan(6);
  });

  it('is unhealthy when a reconcile gets no response for longer than any request may take', async () => {
    await at.start(project);
    const answers: (() => void)[] = [];
    at.server.delay = () => new Promise<void>((resolve) => void answers.push(resolve));
    at.apply(service('cart'));
    await at.clock.advance(31 * 60_000);
    expect(at.controller.unhealthyReason()).toContain('PinterestService/shop/cart');
    at.server.delay = () => Promise.resolve();
    for (const answer of answers) answer();
    await at.clock.advance(100);
    expect(at.controller.unhealthyReason()).toBeUndefined();
  });

  it('lists the kinds whose caches are not synced', async () => {
    at.apply(defaultProfile, defaultPlatform);
    at.server.failWith = (verb, kind) =>
      verb === 'list' && kind === 'Ingress' ? new ApiError(403, 'Forbidden', 'ingresses is forbidden') : undefined;
    const ending = new AbortController();
    const starting = at.cache.start(ending.signal).catch(() => undefined);
    await at.clock.advance(100);
    expect(at.lines.map(({ fields }) => `${String(fields['resource'])} ${String(fields['error'])}`)).toContain(
      'ingresses ingresses is forbidden',
    );
    expect(at.cache.unsyncedReason()).toBe('caches are not synced yet: ingresses (ingresses is forbidden)');
    ending.abort();
    await starting;
  });
});
