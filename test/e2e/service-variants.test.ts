import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { metadataKeys, type ManifestInput } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';

type Spec = ManifestInput<'PinterestService'>['spec'];
type Variant = NonNullable<Spec['variants']>[number];

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const kind = 'PinterestService';
const namespace = 'bookinfo';
const variantKey = metadataKeys.variant;
const image = (name: string, tag = '1.20.3') => `registry.example.com/bookinfo/reviews-${name}:${tag}`;
const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');

describePinion('a service with variants', (pinion) => {
  const kubectl = new KubectlView(pinion, () => namespace);
  const { spec: pod, ...metadata } = smallTemplate({ [podBehavior.readyAfter]: '2s', [podBehavior.deleteAfter]: '1s' });
  const base: Spec = {
    loadBalancer: { port: 9080, exposure: 'Cluster' },
    template: { ...metadata, spec: { ...pod, containers: [{ name: 'app', image: image('v1') }] } },
  };
  const v1: Variant = { name: 'v1', replicas: 2 };
  const v2: Variant = { name: 'v2', image: image('v2') };
  const v3: Variant = { name: 'v3', image: image('v3') };
  const apply = (spec: Partial<Spec>) => pinion().apply(workloadOf(kind, namespace, 'reviews', { ...base, ...spec }));
  const ready = () => pinion().ready(kind, namespace, 'reviews', 120_000);

  const pods = async (): Promise<readonly Pod[]> => {
    const query = { labelSelector: `${metadataKeys.workload}=reviews` };
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const response = await pinion().cluster.client.request('GET', path, undefined, { query });
    return (expectStatus(response, [200]).body as { readonly items: readonly Pod[] }).items;
  };
  const uidsOf = async (variant: string) =>
    (await pods())
      .filter(({ metadata: { labels, deletionTimestamp } }) => labels[variantKey] === variant && !deletionTimestamp)
      .map(({ metadata: { uid } }) => uid)
      .sort();

  /** Runs a change until it is complete; returns the smallest number of pods that were ready meanwhile. */
  const fewestReady = async (change: () => Promise<unknown>): Promise<number> => {
    let fewest = Infinity;
    let isDone = false;
    const sampling = (async () => {
      while (!isDone) {
        fewest = Math.min(fewest, (await pods()).filter(isReady).length);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    try {
      await change();
    } finally {
      isDone = true;
      await sampling;
    }
    return fewest;
  };

  beforeAll(async () => {
    await pinion().project(namespace);
  }, 60_000);

  test('three versions of reviews are one workload with one Service', async () => {
    await apply({ variants: [v1, v2, v3] });
    const live = await ready();
    expect(live.status).toMatchObject({
      replicas: 4,
      readyReplicas: 4,
      variants: [
        { name: 'v1', desiredReplicas: 2, readyReplicas: 2 },
        { name: 'v2', desiredReplicas: 1, readyReplicas: 1 },
        { name: 'v3', desiredReplicas: 1, readyReplicas: 1 },
      ],
    });
    expect(await kubectl.names('deployment,service,pdb', '-l', `${metadataKeys.workload}=reviews`)).toEqual([
      'deployment.apps/reviews-v1',
      'deployment.apps/reviews-v2',
      'deployment.apps/reviews-v3',
      'poddisruptionbudget.policy/reviews',
      'service/reviews',
    ]);
    await waitFor('the Service to have all pods', async () => {
      const printed = await kubectl.run(
        'get',
        'endpointslices',
        '-l',
        'kubernetes.io/service-name=reviews',
        '-o',
        'json',
      );
      const { items } = JSON.parse(printed) as { items: readonly { endpoints?: readonly object[] }[] };
      return items.flatMap(({ endpoints }) => endpoints ?? []).length === 4;
    });
    expect(await kubectl.names('pods', '-l', String(live.status?.['selector']))).toHaveLength(4);
  });

  test('a new image of one variant replaces only its pods', async () => {
    const [before1, before2, before3] = [await uidsOf('v1'), await uidsOf('v2'), await uidsOf('v3')];
    await apply({ variants: [v1, { ...v2, image: image('v2', '1.20.4') }, v3] });
    await ready();
    expect([await uidsOf('v1'), await uidsOf('v3')]).toEqual([before1, before3]);
    expect(await uidsOf('v2')).toHaveLength(1);
    expect(await uidsOf('v2')).not.toEqual(before2);
    const events = await kubectl.run('get', 'events', '--field-selector', 'involvedObject.name=reviews');
    expect(events).toContain('A new version of the variant v2 is being rolled out.');
  });

  test('a variant that does not start is named, and the others keep serving', async () => {
    await apply({ variants: [v1, { ...v2, pool: 'general', replicas: 3 }, v3] });
    const progressing = await pinion().until(kind, namespace, 'reviews', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('Variant v2 (Deployment reviews-v2)')),
    );
    expect(progressing.status?.['variants']).toContainEqual(expect.objectContaining({ name: 'v1', readyReplicas: 2 }));
    await ready();
  });

  test('a variant is removed and added again, and the pods of the others stay', async () => {
    const kept = await uidsOf('v1');
    await apply({ variants: [v1, v2] });
    await ready();
    await waitFor('the pods of v3 to be gone', async () => (await uidsOf('v3')).length === 0, { timeout: 60_000 });
    await apply({ variants: [v1, v2, v3] });
    expect((await ready()).status).toMatchObject({ readyReplicas: 4 });
    expect(await uidsOf('v1')).toEqual(kept);
    expect(await uidsOf('v3')).toHaveLength(1);
  });

  test('a renamed variant keeps its pods until those of its successor are ready', async () => {
    const fewest = await fewestReady(async () => {
      await apply({ variants: [v1, v2, { ...v3, name: 'v4' }] });
      await ready();
      await waitFor('v3 to be gone', async () => (await kubectl.object('deployment', 'reviews-v3')) === undefined, {
        timeout: 60_000,
      });
    });
    expect(fewest).toBeGreaterThanOrEqual(4);
  });

  test('the service moves to one Deployment and back to variants without a gap', async () => {
    const toBase = await fewestReady(async () => {
      await apply({ replicas: 4 });
      await ready();
      await waitFor(
        'the Deployments of the variants to be gone',
        async () => (await kubectl.names('deployment')).join() === 'deployment.apps/reviews',
        { timeout: 60_000 },
      );
    });
    expect(toBase).toBeGreaterThanOrEqual(4);
    expect((await pinion().read(kind, namespace, 'reviews'))?.status).not.toHaveProperty('variants');
    const toVariants = await fewestReady(async () => {
      await apply({ variants: [v1, v2, v3] });
      await ready();
      await waitFor('the old Deployment to be gone', async () => !(await kubectl.object('deployment', 'reviews')), {
        timeout: 60_000,
      });
    });
    expect(toVariants).toBeGreaterThanOrEqual(4);
    expect((await pods()).filter(isReady)).toHaveLength(4);
  });

  test('variants that never become ready leave the old pods in service', async () => {
    await apply({ replicas: 2 });
    await ready();
    await waitFor('one Deployment', async () => (await kubectl.names('deployment')).length === 1, { timeout: 60_000 });
    const { spec: ownPod, ...never } = smallTemplate({ [podBehavior.readyAfter]: 'never' });
    await apply({ variants: [v1], template: { ...never, spec: ownPod } });
    await kubectl.until('deployment', 'reviews-v1', ({ status }) => status?.['replicas'] === 2);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await pods()).filter(isReady)).toHaveLength(2);
    const live = await pinion().read(kind, namespace, 'reviews');
    expect(live?.status?.['children']).toMatchObject({ 'Deployment/reviews': 'Unwanted' });
    expect(live?.status?.phase).toBe('Progressing');
    await apply({ variants: [v1, v2, v3] });
    await ready();
    await waitFor('the old Deployment to be gone', async () => !(await kubectl.object('deployment', 'reviews')), {
      timeout: 60_000,
    });
  });

  test('a drain takes one pod of all variants at a time', async () => {
    const evict = async (variant: string) => {
      const [target] = (await pods()).filter((one) => one.metadata.labels[variantKey] === variant && isReady(one));
      const name = target?.metadata.name ?? '';
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
      return (await pinion().cluster.client.request('POST', path, eviction)).status;
    };
    const budget = () =>
      kubectl.until(
        'pdb',
        'reviews',
        ({ status }) => status?.['expectedPods'] === 4 && status['disruptionsAllowed'] === 1,
      );
    await budget();
    expect(await evict('v2')).toBe(201);
    // The only pod of v2 may go, but not a pod of another variant at the same time.
    expect(await evict('v3')).toBe(429);
    await budget();
    expect(await evict('v3')).toBe(201);
    await ready();
  });

  test('kubectl rejects a number of pods beside variants, and scaling the workload', async () => {
    const scaled = await kubectl.attempt('scale', 'psvc/reviews', '--replicas=3');
    expect(scaled.code).not.toBe(0);
    expect(scaled.stderr).toContain('cannot be combined with variants');
    await expect(apply({ variants: [v1], rollout: { strategy: 'Recreate' } })).rejects.toThrow(/variants do/);
    await expect(apply({ variants: [{ ...v1, autoscaling: { maxReplicas: 3 } }] })).rejects.toThrow(/replicas/);
  });

  test('the example of the docs becomes ready', async () => {
    const page = readFileSync(join(__dirname, '../../docs/kinds/pinterest-service.md'), 'utf8');
    const [example] = [...page.matchAll(/```yaml\n([^]*?)```/g)].flatMap(([, text = '']) =>
      text.includes('variants:') ? [load(text) as ManifestInput<'PinterestService'>] : [],
    );
    if (!example) throw new Error('the page has no example with variants');
    const { status } = await pinion()
      .apply({ ...example, metadata: { ...example.metadata, name: 'documented', namespace } })
      .then(() => pinion().ready(kind, namespace, 'documented', 120_000));
    expect(status?.['variants']).toHaveLength(3);
  });

  test('a number of pods that another tool set is replaced by variants in one step', async () => {
    await apply({ replicas: 2 });
    await ready();
    await kubectl.run('scale', 'psvc/reviews', '--replicas=3');
    await ready();
    await expect(apply({ variants: [v1, v2] })).rejects.toThrow(/cannot be combined with variants/);
    const file = join(mkdtempSync(join(tmpdir(), 'pinion-variants-')), 'reviews.json');
    const spec = { ...base, variants: [v1, v2] };
    writeFileSync(file, JSON.stringify(workloadOf(kind, namespace, 'reviews', spec)));
    const fewest = await fewestReady(async () => {
      await kubectl.run('replace', '-f', file);
      await ready();
      await waitFor('the old Deployment to be gone', async () => !(await kubectl.object('deployment', 'reviews')), {
        timeout: 60_000,
      });
    });
    expect(fewest).toBeGreaterThanOrEqual(3);
  });

  test('deleting it deletes the Deployments of all variants', async () => {
    await kubectl.run('delete', 'psvc', '--all');
    await kubectl.gone('deployment,replicaset,service,pdb,pod');
  });
});
