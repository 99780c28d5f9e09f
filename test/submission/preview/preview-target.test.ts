import { amountsOf, apiVersion, metadataKeys, parseManifest, type Workload } from '../../../lib/api';
import { targetPreviewSchema } from '../../../lib/contract/preview-schemas';
import { defaultPlatform, deploymentHash, storedRevisionsOf } from '../../../lib/expand';
import { TargetSnapshot } from '../../../lib/submission/preview/target-snapshot';
import { makeDaemon, makeService, makeStatefulSet } from '../../../lib/testing';
import { storedRevision } from '../../expand/revisions/stored-revision';
import { previewDeployment, liveWorkload, pods, profile, published, targetOf } from './preview-fixture';

const quota = { pods: '20', 'requests.cpu': '10' };
const service = (name: string, replicas: number, cpu = '1') =>
  makeService({ name, replicas, rollout: { maxSurge: 1 }, ...pods(cpu) });
const rowOf = ({ preview }: ReturnType<typeof previewDeployment>, resource: string) =>
  preview.resources.find((row) => row.resource === resource);

describe('quantities', () => {
  test('report the request, the current usage of the same workloads, the usage of others and the remainder', () => {
    const found = previewDeployment({
      target: targetOf({ project: { quota } }),
      artifact: [service('cart', 5)],
      live: [liveWorkload(service('cart', 2)), liveWorkload(service('search', 3, '500m'))],
    });
    expect(found.decision).toBe('accept');
    expect(rowOf(found, 'requests.cpu')).toEqual({
      resource: 'requests.cpu',
      requested: '6',
      now: '3',
      usedByOthers: '2',
      hard: '10',
      available: '8',
      fits: true,
    });
    expect(rowOf(found, 'services')).toEqual({
      resource: 'services',
      requested: '1',
      now: '1',
      usedByOthers: '1',
      fits: true,
    });
    expect(targetPreviewSchema.safeParse(found.preview).error).toBeUndefined();
  });

  test.each([
    ['the peak requests of others if they are higher', { 'requests.cpu': '4' }, '2'],
    ["the API server's count beyond the peak of the artifact if that is higher", { 'requests.cpu': '8' }, '5'],
  ])('usage by others is %s', (_, used, expected) =>
    expect(
      rowOf(
        previewDeployment({
          artifact: [service('cart', 5)],
          live: [liveWorkload(service('cart', 2)), liveWorkload(service('search', 3, '500m'))],
          used,
          target: targetOf({ project: { quota } }),
        }),
        'requests.cpu',
      )?.usedByOthers,
    ).toBe(expected),
  );

  test('usage by others includes what active deployments add to them, without their changes to the workloads of the artifact', () =>
    expect(
      rowOf(
        previewDeployment({
          artifact: [service('cart', 5)],
          live: [liveWorkload(service('cart', 2)), liveWorkload(service('search', 3, '500m'))],
          reservations: new Map([
            ['PinterestService/search', amountsOf({ 'requests.cpu': '3' })],
            ['PinterestService/new', amountsOf({ 'requests.cpu': '1' })],
            ['PinterestService/cart', amountsOf({ 'requests.cpu': '9' })],
          ]),
          target: targetOf({ project: { quota } }),
        }),
        'requests.cpu',
      )?.usedByOthers,
    ).toBe('4'));

  test('the default of the Platform applies to quotas that the Project omits', () => {
    const target = targetOf({
      project: { quota: { pods: '20' } },
      platform: { defaultQuota: { pods: '5', services: '3' } },
    });
    const found = previewDeployment({ target, artifact: [service('cart', 5)] });
    expect([rowOf(found, 'pods')?.hard, rowOf(found, 'services')?.hard]).toEqual(['20', '3']);
  });

  test('object counts are reported only if the quota limits them', () => {
    const target = targetOf({ project: { quota: { 'count/deployments.apps': '1' } } });
    const found = previewDeployment({ target, artifact: [service('cart', 1), service('search', 1)] });
    expect(found.decision).toBe('refuse');
    expect(found.preview.resources.filter(({ resource }) => resource.startsWith('count/'))).toMatchObject([
      { resource: 'count/deployments.apps', requested: '2', fits: false },
    ]);
  });

  test('a daemon requests a pod on each matching node', () => {
    const node = (name: string, labels = {}) => ({
      name,
      labels,
      taints: name === 'control-plane' ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] : [],
      allocatable: amountsOf({ cpu: '4', memory: '16Gi', pods: '110' }),
    });
    const target = targetOf({
      project: { infrastructure: true, quota: { pods: '100' } },
      nodes: [node('control-plane'), node('a'), node('b'), node('c', { 'node.example.com/pool': 'gpu' })],
    });
    const requestedPods = (spec: object) =>
      rowOf(previewDeployment({ target, artifact: [makeDaemon(spec)] }), 'pods')?.requested;
    expect([
      requestedPods({ tolerateAll: false }),
      requestedPods({ tolerateAll: true }),
      requestedPods({ tolerateAll: false, pools: ['gpu'] }),
    ]).toEqual(['3', '4', '1']);
  });
});

describe('a deployment beyond the quota', () => {
  const beyondQuota = { artifact: [service('cart', 9)], live: [liveWorkload(service('search', 3))] };

  test('is rejected, with the quantities and the nearest fit', () => {
    const { preview, decision } = previewDeployment({ ...beyondQuota, target: targetOf({ project: { quota } }) });
    expect(decision).toBe('refuse');
    expect(preview.nearestFit).toBe(
      'PinterestService cart fits with replicas 5 instead of 9: the artifact then requests 6 of the 6 requests.cpu available; ' +
        'unchanged, it fits with requests.cpu 14 instead of 10 in spec.quota of Project shop; most of requests.cpu is used by PinterestService search (4).',
    );
    expect(preview.problems).toMatchObject([
      {
        code: 'not-available',
        object: 'Project shop',
        path: ['spec', 'quota', 'requests.cpu'],
        value: '10',
        reason: 'leaves 6 available (others use 4), but the artifact requests 10 at peak',
      },
    ]);
  });

  test('is queued if the Project allows it, unless it would not fit even into an empty project', () => {
    const target = targetOf({ project: { quota, onQuotaExceeded: 'Queue' } });
    const waiting = previewDeployment({ ...beyondQuota, target });
    expect([waiting.decision, waiting.preview.problems[0]?.severity]).toEqual(['queue', 'warning']);
    expect(previewDeployment({ ...beyondQuota, artifact: [service('cart', 10)], target }).decision).toBe('refuse');
  });

  test('is accepted if it requests no more than its current usage', () => {
    const target = targetOf({ project: { quota: { 'requests.cpu': '2' } } });
    const found = previewDeployment({
      ...beyondQuota,
      live: [...beyondQuota.live, liveWorkload(service('cart', 9))],
      target,
    });
    expect([found.decision, rowOf(found, 'requests.cpu')?.fits]).toEqual(['accept', true]);
  });

  test('proposes only a larger quota if reducing one workload is not enough', () => {
    const { preview } = previewDeployment({
      artifact: [service('cart', 1, '7'), service('tail', 1, '7')],
      target: targetOf({ project: { quota } }),
    });
    expect(preview.nearestFit).toBe('It fits with requests.cpu 28 instead of 10 in spec.quota of Project shop.');
  });

  test('proposes the smallest relative reduction', () => {
    const { preview } = previewDeployment({
      artifact: [service('cart', 6), makeStatefulSet({ name: 'store', replicas: 2, ...pods('2') })],
      target: targetOf({ project: { quota } }),
    });
    expect(preview.nearestFit).toMatch(/^PinterestService cart fits with replicas 5 instead of 6/);
  });
});

describe('problems', () => {
  test('equal those of every other deployment path, with the same messages', () => {
    const wrong = makeService({ placement: { pool: 'generall' } });
    const broken = { ...makeService({ name: 'broken' }), spec: { replicas: 'many' } } as never;
    const { preview, decision } = previewDeployment({ artifact: [wrong, broken] });
    expect(decision).toBe('refuse');
    expect(preview.problems).toMatchObject([
      { code: 'not-available', object: 'PinterestService shop/app', path: ['spec', 'placement', 'pool'] },
      { object: 'PinterestService shop/broken', code: 'wrong-type' },
      { object: 'PinterestService shop/broken', code: 'required' },
    ]);
  });

  test("include fields that this cluster's Kubernetes version does not know", () => {
    const input = makeService(pods('1'));
    Object.assign(input.spec.template.spec, { schedulingGroup: { podGroupName: 'x' } });
    const on = (kubernetesVersion: '1.35' | '1.36') =>
      previewDeployment({ artifact: [input], target: targetOf({ platform: { kubernetesVersion } }) }).preview.problems;
    expect(on('1.35')).toMatchObject([{ code: 'unsupported-field' }]);
    expect(on('1.36').filter(({ code }) => code === 'unsupported-field')).toEqual([]);
  });

  test('never show potential secrets', () => {
    const input = makeService(pods('1'));
    Object.assign(input.spec.template.spec.containers[0] as object, { env: [{ name: 'PINION_X', value: 'marker-7' }] });
    const found = previewDeployment({ artifact: [input] });
    expect(found.decision).toBe('refuse');
    expect(JSON.stringify(found.preview)).not.toContain('marker-7');
  });

  test('include a missing project, and a workload of another one', () => {
    const target = new TargetSnapshot({ name: 'prod-1', documents: [], nodes: 3 });
    expect(previewDeployment({ target, artifact: [service('cart', 1)] }).preview.problems).toMatchObject([
      { code: 'unknown-reference', value: 'shop', reason: 'is not a Project on prod-1' },
    ]);
    const otherNamespace = { ...service('cart', 1), metadata: { name: 'cart', namespace: 'ads' } };
    expect(previewDeployment({ artifact: [otherNamespace] }).decision).toBe('refuse');
  });

  test('warn about a host of another workload, unless the deployment removes that one', () => {
    const exposed = (name: string, ...hosts: readonly string[]) =>
      makeService({ name, ...pods('1'), loadBalancer: { port: 8080, hosts: [...hosts] } });
    const warned = (labels: Record<string, string> = {}) =>
      previewDeployment({
        artifact: [exposed('cart', 'cart.shop.example.com', 'shop.example.com')],
        live: [
          liveWorkload(exposed('cart', 'shop.example.com')),
          liveWorkload(exposed('till', 'shop.example.com'), { labels }),
        ],
      }).preview.problems.filter(({ code }) => code === 'duplicate');
    expect(warned()).toMatchObject([
      {
        severity: 'warning',
        object: 'PinterestService shop/cart',
        path: ['spec', 'loadBalancer', 'hosts', 1],
        reason:
          'is also routed to PinterestService shop/till in the cluster, and an ingress controller serves only one of them',
      },
    ]);
    expect(warned({ [metadataKeys.workflow]: 'cart', [metadataKeys.stage]: 'production' })).toEqual([]);
  });

  test('warn about workloads of another stage, and not about those of the same one', () => {
    const from = (stage: string) =>
      liveWorkload(service('cart', 2), { labels: { [metadataKeys.workflow]: 'cart', [metadataKeys.stage]: stage } });
    const warned = (stage: string) =>
      previewDeployment({ artifact: [service('cart', 3)], live: [from(stage)] }).preview.problems.map(
        ({ reason }) => reason,
      );
    expect(warned('staging')).toEqual(['belongs to stage staging of workflow cart; this deployment takes it over']);
    expect(warned('production')).toEqual([]);
  });
});

describe('nodes', () => {
  const node = (name: string, cpu: string, labels = {}) => ({
    name,
    labels,
    taints: [],
    allocatable: amountsOf({ cpu, memory: '64Gi', pods: '110' }),
  });
  const large = { 'node.example.com/pool': 'highmem' };
  const checked = (spec: object, nodes: ReturnType<typeof node>[], pools = [{ name: 'general' }]) => {
    const target = targetOf({ nodes, platform: { pools } });
    const { preview, decision } = previewDeployment({ target, artifact: [makeService({ ...pods('12'), ...spec })] });
    return [decision, ...preview.problems.map(({ reason }) => reason)];
  };

  test('that are all too small reject a pod, with the largest of them', () =>
    expect(checked({}, [node('a', '4'), node('b', '7910m')])).toEqual([
      'refuse',
      'has a pod that fits on none of the 2 matching nodes: it requests 12 of cpu, and the largest has 7910m',
    ]));

  test('that may be added later cause a warning', () => {
    const pools = [{ name: 'general' }, { name: 'highmem', nodeSelector: large }];
    expect(checked({}, [node('a', '4')], pools)[0]).toBe('accept');
    expect(checked({}, [node('a', '4'), node('b', '8', large)], pools)[0]).toBe('refuse');
    expect(checked({ placement: { pool: 'highmem' } }, [node('a', '4')], pools)).toEqual([
      'accept',
      'has pods that match none of the 1 nodes now',
    ]);
  });

  test('cause no problem if one is large enough, or only their number is known', () => {
    expect(checked({}, [node('a', '4'), node('b', '16')])).toEqual(['accept']);
    expect(
      previewDeployment({ target: targetOf({ nodes: 3 }), artifact: [makeService(pods('1k'))] }).preview.problems,
    ).toEqual([]);
  });
});

describe('changes', () => {
  const deployed = { labels: { 'pinterest.com/workflow': 'cart', 'pinterest.com/stage': 'production' } };
  const changes = (options: Parameters<typeof previewDeployment>[0]) => previewDeployment(options).preview.changes;

  test('are created, changed, unchanged and removed workloads', () =>
    expect(
      changes({
        artifact: [service('new', 1), service('same', 2), service('more', 4)],
        live: [
          liveWorkload(service('same', 2), deployed),
          liveWorkload(service('more', 3), deployed),
          liveWorkload(service('gone', 1), deployed),
          liveWorkload(service('other', 1)),
          liveWorkload(service('staged', 1), { labels: { ...deployed.labels, 'pinterest.com/stage': 'staging' } }),
        ],
      }),
    ).toEqual([
      { kind: 'PinterestService', name: 'new', change: 'created', restarts: false, fields: [] },
      { kind: 'PinterestService', name: 'same', change: 'unchanged', restarts: false, fields: [] },
      {
        kind: 'PinterestService',
        name: 'more',
        change: 'changed',
        restarts: false,
        fields: [{ path: 'spec.replicas', from: 3, to: 4 }],
      },
      { kind: 'PinterestService', name: 'gone', change: 'removed', restarts: false, fields: [] },
    ]));

  test('restart pods if their template changes, and identify list entries by name', () => {
    const next = service('cart', 2);
    Object.assign(next.spec.template.spec.containers[0] as object, { image: 'registry.example.com/app:2.0.0' });
    expect(changes({ artifact: [next], live: [liveWorkload(service('cart', 2))] })).toEqual([
      {
        kind: 'PinterestService',
        name: 'cart',
        change: 'changed',
        restarts: true,
        causes: [{ object: 'PinterestService shop/cart', path: 'spec.template.spec.containers[app].image' }],
        fields: [
          {
            path: 'spec.template.spec.containers[app].image',
            from: 'registry.example.com/app:1.0.0',
            to: 'registry.example.com/app:2.0.0',
          },
        ],
      },
    ]);
  });

  test('name variables, files and arguments without their values', () => {
    const next = service('cart', 2);
    Object.assign(next.spec.template.spec.containers[0] as object, {
      env: [{ name: 'PASSWORD', value: 'marker-8' }],
      args: ['--token', 'marker-9'],
    });
    const [change] = changes({ artifact: [next], live: [liveWorkload(service('cart', 2))] });
    expect(change?.fields.map(({ path }) => path)).toEqual([
      'spec.template.spec.containers[app].env[PASSWORD].name',
      'spec.template.spec.containers[app].env[PASSWORD].value',
      'spec.template.spec.containers[app].args[0]',
      'spec.template.spec.containers[app].args[1]',
    ]);
    expect(JSON.stringify(change)).not.toContain('marker');
  });

  test('restart pods that move to the runtime profile in force, and not those that only scale up', () => {
    const older = profile('older-1', [
      {
        name: 'helper',
        summary: 'Helps.',
        pod: {
          sidecars: [{ name: 'pinion-helper', image: 'registry.example.com/helper:1.0.0', restartPolicy: 'Always' }],
        },
      } as never,
    ]);
    const target = targetOf({ profiles: [older] });
    const live = [liveWorkload(service('cart', 2), { profile: 'older-1' })];
    const relabeled = makeService({
      ...service('cart', 2).spec,
      name: 'cart',
      links: { runbook: 'https://example.com' },
    });
    expect(changes({ target, artifact: [service('cart', 3)], live })[0]?.restarts).toBe(false);
    const [moved] = changes({ target, artifact: [relabeled], live });
    expect(moved?.restarts).toBe(true);
    expect(moved?.causes).toEqual([
      { object: 'RuntimeProfile bare-1', path: 'metadata.name' },
      { object: 'RuntimeProfile bare-1', path: 'spec.parts[helper]' },
    ]);
    expect(changes({ artifact: [relabeled], live: [liveWorkload(service('cart', 2))] })[0]?.restarts).toBe(false);
    // What the canary blocks, a deployment does not get.
    const runtime = { profile: 'bare-1', since: '2026-03-01T12:00:00Z', rolloutBlockedReason: 'the canary is failing' };
    const blocked = targetOf({ profiles: [older], runtime });
    expect(changes({ target: blocked, artifact: [relabeled], live })[0]?.restarts).toBe(false);
  });

  describe('on a cluster with rollouts', () => {
    const older = profile('older-1', [
      {
        name: 'helper',
        summary: 'Helps.',
        pod: {
          sidecars: [{ name: 'pinion-helper', image: 'registry.example.com/helper:1.0.0', restartPolicy: 'Always' }],
        },
      } as never,
    ]);
    const platformOf = (name: string, more: object = {}) => ({ rollouts: {}, runtime: { profile: name }, ...more });
    const manifestsOf = (name: string, more: object = {}) => [
      parseManifest({
        ...defaultPlatform,
        spec: { ...defaultPlatform.spec, defaultQuota: {}, ...platformOf(name, more) },
      }),
      parseManifest(name === 'older-1' ? older : profile(name)),
    ];
    const tiers = [...defaultPlatform.spec.tiers, { name: 'gold', priority: 7 }];
    const [first, second] = [storedRevision(manifestsOf('older-1')), storedRevision(manifestsOf('bare-1', { tiers }))];
    const [before, current] = [first.metadata.name, second.metadata.name];
    const target = (completed: string, released: Readonly<Record<string, string>> = {}) =>
      targetOf({
        profiles: [older],
        platform: platformOf('bare-1', { tiers }),
        revisions: {
          ...{ current, completed, isTested: true, isOpen: current !== completed, isLeft: false },
          released: new Map(Object.entries(released)),
          revisions: storedRevisionsOf([first, second]),
        },
      });
    const live = [liveWorkload(service('cart', 2), { profile: 'older-1', revision: before })];
    const linked = makeService({
      ...service('cart', 2).spec,
      name: 'cart',
      links: { runbook: 'https://example.com' },
    });

    test('restart no pods by a deployment while a rollout is open', () => {
      expect(changes({ target: target(before), artifact: [linked], live })[0]?.restarts).toBe(false);
      const released = target(before, { [live[0]?.metadata.uid ?? '']: current });
      expect(changes({ target: released, artifact: [linked], live })[0]?.restarts).toBe(false);
    });

    test('restart pods that a deployment moves to the completed revision, and none that only scale', () => {
      const [moved] = changes({ target: target(current), artifact: [linked], live });
      expect(moved).toMatchObject({ restarts: true });
      expect(moved?.causes).toContainEqual({ object: 'RuntimeProfile bare-1', path: 'spec.parts[helper]' });
      expect(changes({ target: target(current), artifact: [service('cart', 3)], live })[0]?.restarts).toBe(false);
    });

    test('are checked at the revision that a workload follows', () => {
      const gold = makeService({ ...service('till', 2).spec, name: 'till', tier: 'gold' });
      const problemsAt = (completed: string) =>
        previewDeployment({ target: target(completed), artifact: [gold] }).preview.problems.map(({ path }) => path);
      expect(problemsAt(before)).toEqual([['spec', 'tier']]);
      expect(problemsAt(current)).toEqual([]);
    });
  });

  test('name the variants whose pods restart', () => {
    const reviews = (...variants: readonly object[]) =>
      makeService({ name: 'reviews', variants: variants as { name: string }[], ...pods('1') });
    const [v1, v2] = [{ name: 'v1' }, { name: 'v2', image: 'registry.example.com/reviews:2.0.0' }];
    const live = [liveWorkload(reviews(v1, v2))];
    const next = { ...v2, image: 'registry.example.com/reviews:2.0.1' };
    expect(changes({ artifact: [reviews(v1, next)], live })[0]).toMatchObject({
      restarts: true,
      restartedVariants: ['v2'],
      fields: [{ path: 'spec.variants[v2].image' }],
    });
    expect(changes({ artifact: [reviews(v2)], live })[0]).toMatchObject({ restarts: true, restartedVariants: ['v1'] });
    const scaled = changes({ artifact: [reviews({ ...v1, replicas: 3 }, v2)], live })[0];
    expect(scaled).toMatchObject({ restarts: false, fields: [{ path: 'spec.variants[v1].replicas' }] });
    expect(scaled).not.toHaveProperty('restartedVariants');
    const [moved] = changes({ artifact: [reviews(v1)], live: [liveWorkload(service('reviews', 2))] });
    expect(moved).toMatchObject({ change: 'changed', restarts: true });
  });

  test('name the hooks that run before, and none for a spec that was deployed', () => {
    const hooked = (tag: string) => {
      const input = makeService({
        ...service('cart', 2).spec,
        name: 'cart',
        beforeDeployment: [{ name: 'migrate', command: ['/migrate'] }],
      });
      Object.assign(input.spec.template.spec.containers[0] as object, { image: `registry.example.com/app:${tag}` });
      return input;
    };
    const deployed = deploymentHash(parseManifest(hooked('1.0.0')) as Workload);
    const live = { ...liveWorkload(hooked('2.0.0')), status: { beforeDeployment: { history: [deployed] } } };
    expect(changes({ artifact: [hooked('1.0.0')] })[0]).toMatchObject({ change: 'created', hooks: ['migrate'] });
    expect(changes({ artifact: [hooked('3.0.0')], live: [live] })[0]).toMatchObject({
      restarts: true,
      hooks: ['migrate'],
    });
    expect(changes({ artifact: [hooked('1.0.0')], live: [live] })[0]).not.toHaveProperty('hooks');
    expect(changes({ artifact: [hooked('2.0.0')], live: [live] })[0]).not.toHaveProperty('hooks');
  });

  test('do not include a restart that an operator requested, which a deployment keeps', () => {
    const live = liveWorkload(service('cart', 2));
    const annotations = { ...live.metadata.annotations, 'pinterest.com/restarted-at': '2026-11-23T10:00:00Z' };
    const restarted = { ...live, metadata: { ...live.metadata, annotations } };
    expect(changes({ artifact: [service('cart', 2)], live: [restarted] })[0]).toMatchObject({ change: 'unchanged' });
    expect(changes({ artifact: [service('cart', 3)], live: [restarted] })[0]).toMatchObject({ restarts: false });
  });
});

test('a live workload is expanded again only if its live state differs from the expected one', () => {
  const target = targetOf();
  const { peak } = target.expandResource(published(service('search', 3))).known ?? {};
  expect(peak).toBeDefined();
  const marked = { annotations: { [metadataKeys.artifact]: 'shop/cart@1.4.2' } };
  const unchanged = liveWorkload(service('search', 3));
  expect(target.peakOf({ ...unchanged, metadata: { ...unchanged.metadata, ...marked } })).toBe(peak);
  const scaled = liveWorkload(service('search', 4), { uid: 'scaled' });
  expect(target.peakOf(scaled)).toEqual(target.expandResource(published(service('search', 4))).known?.peak);
  const other = liveWorkload(service('till', 3));
  expect(target.peakOf(other)).toEqual(peak);
  expect(target.peakOf(other)).not.toBe(peak);
});

test('live workloads are expanded once per generation', () => {
  const target = targetOf();
  const one = liveWorkload(service('search', 3));
  const first = target.peakOf(one);
  expect(target.peakOf({ ...one, spec: {} })).toBe(first);
  const next = liveWorkload(service('search', 4));
  expect(target.peakOf({ ...next, metadata: { ...next.metadata, generation: 2 } })).not.toEqual(first);
  expect(
    target.peakOf({ ...one, apiVersion, spec: { replicas: 'many' }, metadata: { ...one.metadata, uid: 'x' } }),
  ).toEqual({});
});
