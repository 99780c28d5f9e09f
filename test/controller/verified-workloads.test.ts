import { generateKeyPairSync } from 'node:crypto';
import { apiVersion, metadataKeys, type ManifestInput } from '../../lib/api';
import { IssuerUnreachable, publicKeyText } from '../../lib/artifact';
import { defaultPlatform } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';
import { contentOf, publisher } from '../artifact/artifact-fixture';
import { DeployedStage, type LiveResource } from '../artifact/workload-fixture';
import { ControllerFixture } from './controller-fixture';

type Fields = Readonly<Record<string, unknown>>;

const kind = 'PinterestService';
const stage = new DeployedStage();
const hour = 3_600_000;

let fixture: ControllerFixture;
beforeEach(() => {
  fixture = new ControllerFixture();
  fixture.issuerKeys = () => Promise.resolve(stage.ci.keys);
  fixture.installPolicies();
});
afterEach(() => fixture.stop());

const platform = (spec: object = {}) =>
  ({
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      cluster: 'prod-1',
      deploymentKeys: [publicKeyText(stage.deploymentKey)],
      ...spec,
    },
  }) as ManifestInput<'Platform'>;
const project = (trusted = publisher()): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'commerce', stages: [{ name: 'production', clusters: ['prod-1'], publishers: [trusted] }] },
});
const start = (spec: object = {}) => fixture.start(platform(spec), project());
const put = async (live: LiveResource): Promise<void> => {
  const { uid: _, resourceVersion: __, ...metadata } = live.metadata as LiveResource['metadata'] & Fields;
  const present = fixture.server.find(live.kind, live.metadata.namespace, live.metadata.name);
  fixture.server.put({ ...live, metadata, ...(present && { status: present['status'] }) });
  await fixture.settle(1000);
  // Signatures are verified in real time, so that the delay of the first status may begin late.
  await fixture.settle(1000);
};
/** Returns the workload of a deployment with a number of replicas and with fields of the pod template changed. */
const deployed = (sequence: number): LiveResource => stage.live(undefined, { authorization: { sequence } });
const withImage = (live: LiveResource, image: string): LiveResource => {
  const changed = structuredClone(live) as unknown as {
    spec: { template: { spec: { containers: { image: string }[] } } };
  };
  for (const container of changed.spec.template.spec.containers) container.image = image;
  return changed as unknown as LiveResource;
};
const annotated = (live: LiveResource, annotations: Fields): LiveResource => ({
  ...live,
  metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...annotations } },
});

const condition = (type: string, name = 'cart') =>
  (
    fixture.status(kind, 'shop', name)['conditions'] as readonly (Fields & { readonly type: string })[] | undefined
  )?.find((one) => one.type === type);
const deploymentSpec = (name = 'cart') =>
  fixture.server.find('Deployment', 'shop', name)?.['spec'] as
    | { readonly replicas: number; readonly template: { readonly spec: { readonly containers: readonly Fields[] } } }
    | undefined;
const image = (name = 'cart') => deploymentSpec(name)?.template.spec.containers[0]?.['image'];
const records = async () => (await fixture.server.list({ kind: 'ControllerRevision' } as never)).items;
const events = (reason: string) =>
  fixture.server.written.filter(({ verb, name }) => verb === 'event' && name === reason).length;
const published = stage.live();
const honestImage = () =>
  (published.spec as unknown as { template: { spec: { containers: { image: string }[] } } }).template.spec.containers[0]
    ?.image;
const evilImage = (tag: number): string => `registry.example.com/evil:${tag}@sha256:${'e'.repeat(64)}`;
const evil = evilImage(1);

/** Expects that the objects follow the published part, and that the status says why the spec is not carried out. */
const expectFrozen = (reason: string): void => {
  expect(condition('Verified')).toMatchObject({
    status: 'False',
    reason,
    message: expect.stringMatching(/./) as string,
  });
  expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'Unverified' });
  expect(image()).toBe(honestImage());
};

test('a deployed workload is expanded, and its last accepted part is recorded', async () => {
  await start();
  await put(deployed(7));
  expect(condition('Verified')).toMatchObject({
    status: 'True',
    reason: 'Verified',
    message: 'Deployment 7 of shop/web@1.4.2 is verified.',
  });
  expect(image()).toBe(honestImage());
  const [record, ...others] = await records();
  expect(others).toEqual([]);
  const owner = fixture.server.find(kind, 'shop', 'cart') as LiveObject;
  expect(record).toMatchObject({
    metadata: {
      namespace: 'shop',
      labels: { [metadataKeys.verified]: owner.metadata.uid },
      ownerReferences: [{ kind, name: 'cart', uid: owner.metadata.uid, controller: true }],
    },
    revision: 1,
    data: {
      deployment: {
        authorization: { sequence: 7, artifact: 'shop/web@1.4.2', part: expect.stringMatching(/^sha256:/) as string },
        envelope: expect.stringMatching(/./) as string,
      },
    },
  });
  await put(deployed(8));
  expect(await records()).toMatchObject([{ revision: 2, data: { deployment: { authorization: { sequence: 8 } } } }]);
});

test('the objects of an honest workload are those of an unprotected project', async () => {
  await start();
  await put(deployed(7));
  const inProtected = structuredClone(deploymentSpec());
  const other = new ControllerFixture();
  const { spec, ...rest } = project();
  const requests: string[] = [];
  other.server.failWith = (verb, requested) => void requests.push(`${verb} ${requested}`) as undefined;
  await other.start(platform(), { ...rest, spec: { ...spec, stages: [{ name: 'production' }] } });
  const { uid: _, resourceVersion: __, ...metadata } = published.metadata as LiveResource['metadata'] & Fields;
  other.server.put({ ...published, metadata });
  await other.settle(1000);
  expect(other.server.find('Deployment', 'shop', 'cart')?.['spec']).toEqual(inProtected);
  // Without protection there are no records, no requests for them, and no condition.
  expect(requests.filter((request) => request.endsWith('ControllerRevision'))).toEqual([]);
  expect(JSON.stringify(other.status(kind, 'shop', 'cart'))).not.toContain('Verified');
  await other.stop();
});

test('a spec that is not proven creates nothing', async () => {
  await start();
  await put(withImage(deployed(7), evil));
  expect(condition('Verified')).toMatchObject({ status: 'False', reason: 'OtherWorkload' });
  expect(fixture.status(kind, 'shop', 'cart')).toMatchObject({
    phase: 'Stalled',
    cause: { owner: 'application', reason: 'Unverified' },
  });
  expect(deploymentSpec()).toBeUndefined();
  expect(await records()).toEqual([]);
  expect(events('Unverified')).toBe(1);
});

test('a workload without a record keeps its objects as they are', async () => {
  await fixture.start(platform());
  await put(deployed(7));
  const before = structuredClone(deploymentSpec());
  fixture.apply(project());
  const { annotations, ...metadata } = withImage(deployed(7), evil).metadata;
  await put({ ...withImage(deployed(7), evil), metadata: { ...metadata, annotations: {} } });
  expect(condition('Verified')).toMatchObject({ status: 'False', reason: 'ProofMissing' });
  expect(condition('Verified')?.['message']).toContain('Its objects stay as they are.');
  expect(deploymentSpec()).toEqual(before);
  await put(annotated(deployed(7), annotations));
  expect(condition('Verified')).toMatchObject({ status: 'True' });
});

test.each<[string, (live: LiveResource) => LiveResource, string]>([
  ['an edited image', (live) => withImage(live, evil), 'OtherWorkload'],
  ['a field besides the proof', (live) => ({ ...live, spec: { ...live.spec, adopt: true } }), 'ProofInvalid'],
  ['no proof', (live) => annotated(live, { [metadataKeys.proof]: undefined }), 'ProofMissing'],
  ['a forged authorization', (live) => annotated(live, { [metadataKeys.authorization]: '{}' }), 'AuthorizationInvalid'],
  ['a forged artifact', (live) => annotated(live, { [metadataKeys.artifact]: 'shop/web@9.9.9' }), 'ProofInvalid'],
  ['a forged sequence', (live) => annotated(live, { [metadataKeys.deploymentSequence]: '99' }), 'ProofInvalid'],
  ['an older deployment', () => deployed(6), 'Superseded'],
])('%s is not carried out: the objects follow the last accepted part', async (_, forge, reason) => {
  await start();
  await put(deployed(7));
  await put({ ...forge(deployed(7)) });
  expectFrozen(reason);
  expect(condition('Verified')?.['message']).toContain('Its objects follow deployment 7 of shop/web@1.4.2.');
  // Frozen objects heal and scale.
  fixture.change('Deployment', 'shop', 'cart', (live) => ({
    ...live,
    spec: { ...(live['spec'] as Fields), paused: true },
  }));
  fixture.server.removeObject('Service', 'shop', 'cart');
  fixture.change(kind, 'shop', 'cart', (live) => ({ ...live, spec: { ...(live['spec'] as Fields), replicas: 9 } }));
  await fixture.settle(1000);
  expectFrozen(reason);
  expect(deploymentSpec()?.replicas).toBe(9);
  await put(deployed(8));
  expect(condition('Verified')).toMatchObject({ status: 'True' });
  expect(events('Verified')).toBe(1);
  expect(fixture.status(kind, 'shop', 'cart')['cause']).toBeUndefined();
});

describe('a workload with variants', () => {
  const variantImage = `registry.example.com/cart:2@sha256:${'b'.repeat(64)}`;
  const variants = [
    { name: 'v1', replicas: 2 },
    { name: 'v2', image: variantImage },
  ];
  const signed = () => {
    const { stages, ...content } = contentOf();
    const withVariants = stages.map(({ resources, ...rest }) => ({
      ...rest,
      resources: resources.map((resource) => {
        const { replicas: _, ...spec } = resource['spec'] as Fields;
        return resource.kind === kind ? { ...resource, spec: { ...spec, variants } } : resource;
      }),
    }));
    const own = new DeployedStage({ ...content, stages: withVariants }, stage.deploymentKey);
    fixture.issuerKeys = () => Promise.resolve(own.ci.keys);
    return own.live(undefined, { authorization: { sequence: 7 } });
  };
  const withSpec = (live: LiveResource, spec: object): LiveResource => ({ ...live, spec: { ...live.spec, ...spec } });

  test.each<[string, (live: LiveResource) => LiveResource]>([
    ['another image of a variant', (live) => withSpec(live, { variants: [variants[0], { name: 'v2', image: evil }] })],
    ['one more variant', (live) => withSpec(live, { variants: [...variants, { name: 'v3', image: evil }] })],
    ['more pods of a variant', (live) => withSpec(live, { variants: [{ name: 'v1', replicas: 9 }, variants[1]] })],
    ['a number of pods instead of variants', (live) => withSpec(live, { variants: undefined, replicas: 9 })],
  ])('%s is not carried out, and the accepted variants heal', async (_, forge) => {
    await start();
    const live = signed();
    await put(live);
    expect(condition('Verified')).toMatchObject({ status: 'True' });
    expect(image('cart-v2')).toBe(variantImage);
    await put(forge(live));
    fixture.server.removeObject('Deployment', 'shop', 'cart-v2');
    await fixture.settle(1000);
    expect(condition('Verified')).toMatchObject({ status: 'False' });
    expect(image('cart-v2')).toBe(variantImage);
    expect(deploymentSpec('cart-v1')?.replicas).toBe(2);
    expect([deploymentSpec(), deploymentSpec('cart-v3')]).toEqual([undefined, undefined]);
  });
});

test('workloads that the Platform creates for itself need no deployment', async () => {
  await fixture.start(platform());
  const own = (await fixture.server.list({ kind: 'PinterestDaemon' } as never)).items;
  const namespace = own[0]?.metadata.namespace ?? '';
  expect(own.length).toBeGreaterThan(0);
  fixture.change('Project', '', namespace, (live) => ({
    ...live,
    spec: { ...(live['spec'] as Fields), stages: project().spec.stages },
  }));
  await fixture.settle(1000);
  for (const { metadata } of own) {
    const { conditions } = fixture.status('PinterestDaemon', namespace, metadata.name);
    expect(JSON.stringify(conditions)).not.toContain('Verified');
    expect(fixture.server.find('DaemonSet', namespace, metadata.name)).toBeDefined();
  }
  // Another workload of that project needs one.
  const [{ metadata, spec } = {} as LiveObject] = own;
  fixture.server.put({ apiVersion, kind: 'PinterestDaemon', metadata: { name: 'other', namespace }, spec });
  fixture.change('PinterestDaemon', namespace, metadata.name, (live) => live);
  await fixture.settle(1000);
  expect(JSON.stringify(fixture.status('PinterestDaemon', namespace, 'other'))).toContain('"ProofMissing"');
  expect(fixture.server.find('DaemonSet', namespace, 'other')).toBeUndefined();
});

test('a copy under another name creates nothing', async () => {
  await start();
  await put(deployed(7));
  await put({ ...deployed(7), metadata: { ...deployed(7).metadata, name: 'till' } });
  expect(condition('Verified', 'till')).toMatchObject({ status: 'False', reason: 'OtherWorkload' });
  expect(deploymentSpec('till')).toBeUndefined();
});

test('a rollback with a new sequence number is carried out', async () => {
  await start();
  await put(deployed(8));
  await put(deployed(7));
  expectFrozen('Superseded');
  await put(stage.live(undefined, { authorization: { sequence: 9, intent: 'rollback' } }));
  expect(condition('Verified')).toMatchObject({
    status: 'True',
    message: 'Deployment 9 of shop/web@1.4.2 is verified.',
  });
});

test('scaling and restarting need no new proof', async () => {
  await start();
  await put(deployed(7));
  await put(
    annotated(
      { ...deployed(7), spec: { ...deployed(7).spec, replicas: 5 } },
      { [metadataKeys.restart]: '2026-11-23T12:00:00Z' },
    ),
  );
  expect(condition('Verified')).toMatchObject({ status: 'True' });
  expect(deploymentSpec()?.replicas).toBe(5);
  expect(JSON.stringify(deploymentSpec()?.template)).toContain('2026-11-23T12:00:00Z');
  expect(await records()).toHaveLength(1);
});

test('without deployment keys, a new spec is refused with the field to set, and an accepted one stays', async () => {
  await start({ deploymentKeys: [] });
  await put(deployed(7));
  expect(condition('Verified')).toMatchObject({ status: 'False', reason: 'DeploymentKeysMissing' });
  expect(fixture.status(kind, 'shop', 'cart')['cause']).toMatchObject({
    owner: 'platform',
    message: expect.stringContaining('spec.deploymentKeys of the Platform is empty') as string,
  });
  expect(deploymentSpec()).toBeUndefined();
  fixture.apply(platform());
  await fixture.settle(1000);
  expect(condition('Verified')).toMatchObject({ status: 'True' });
  fixture.apply(platform({ deploymentKeys: [] }));
  await fixture.restart();
  expect(condition('Verified')).toMatchObject({ status: 'True' });
  await put(deployed(8));
  expectFrozen('DeploymentKeysMissing');
});

describe('what was accepted once stays accepted', () => {
  const lost: readonly [string, () => void][] = [
    ['the publisher was removed', () => fixture.apply(project(publisher({ repository: 'commerce/other' })))],
    [
      'the key was replaced',
      () => fixture.apply(platform({ deploymentKeys: [publicKeyText(generateKeyPairSync('ed25519').privateKey)] })),
    ],
    ['the issuer rotated its keys', () => void (fixture.issuerKeys = () => Promise.resolve([]))],
    [
      'the issuer does not respond',
      () => void (fixture.issuerKeys = () => Promise.reject(new IssuerUnreachable('no response'))),
    ],
    ['the issuer hangs', () => void (fixture.issuerKeys = () => new Promise(() => undefined))],
  ];
  test.each(lost)('when %s and the controller restarts', async (_, lose) => {
    await start();
    await put(deployed(7));
    lose();
    await fixture.settle(1000);
    for (let restart = 0; restart < 3; restart++) await fixture.restart();
    fixture.server.removeObject('Deployment', 'shop', 'cart');
    await fixture.settle(1000);
    expect(condition('Verified')).toMatchObject({ status: 'True' });
    expect(image()).toBe(honestImage());
    await put(deployed(8));
    await fixture.settle(2000);
    expect(condition('Verified')).toMatchObject({ status: 'False' });
    expect(image()).toBe(honestImage());
  });
});

test('an issuer that does not respond delays a new spec only, and the spec is carried out when it responds', async () => {
  await start();
  fixture.issuerKeys = () => Promise.reject(new IssuerUnreachable('no response'));
  await put(deployed(7));
  expect(condition('Verified')).toMatchObject({ status: 'False', reason: 'IssuerUnreachable' });
  expect(condition('Ready')).toMatchObject({ reason: 'Unverified' });
  expect(condition('Stalled')).toBeUndefined();
  fixture.issuerKeys = () => Promise.resolve(stage.ci.keys);
  await fixture.settle(90_000);
  expect(condition('Verified')).toMatchObject({ status: 'True' });
});

test('a record that the workload does not control does not count', async () => {
  await start();
  await put(deployed(7));
  const [record] = await records();
  if (!record) throw new Error('no record');
  await put(withImage(deployed(7), evil));
  expectFrozen('OtherWorkload');
  const { uid } = (fixture.server.find(kind, 'shop', 'cart') as LiveObject).metadata;
  const forged = structuredClone(record) as unknown as {
    data: { part: unknown };
    metadata: { name: string; ownerReferences: { controller?: boolean }[] };
  };
  const { apiVersion, spec, metadata } = withImage(deployed(7), evil);
  forged.data.part = { apiVersion, kind, spec, metadata: { name: metadata.name, namespace: metadata.namespace } };
  forged.metadata.name = `pinion-verified-${uid}-99`;
  // The digest of its part is not the authorized one.
  fixture.server.put({ ...forged, revision: 99 });
  await fixture.restart();
  expect(image()).toBe(honestImage());
  fixture.server.removeObject('ControllerRevision', 'shop', forged.metadata.name);
  for (const owner of forged.metadata.ownerReferences) owner.controller = false;
  fixture.server.put({ ...forged, revision: 99 });
  await fixture.restart();
  expect(image()).toBe(honestImage());
});

describe('break-glass', () => {
  const now = () => fixture.clock.now();
  const breakGlass = (expires: number, reason = 'checkout is down, INC-4711') =>
    `{"expires":"${new Date(expires).toISOString()}","reason":"${reason}","user":"rita"}`;
  const emergency = (live: LiveResource, expires: number) =>
    annotated(withImage(live, evil), { [metadataKeys.breakGlass]: breakGlass(expires) });

  test('bypasses the proof until it expires; then the spec is frozen until a deployment', async () => {
    await start();
    await put(deployed(7));
    const expires = now() + hour;
    await put(emergency(deployed(7), expires));
    expect(condition('BreakGlass')).toMatchObject({
      status: 'True',
      message: expect.stringMatching(/^rita bypasses the proof until .*: checkout is down, INC-4711$/) as string,
    });
    expect(condition('Verified')).toMatchObject({ status: 'False', reason: 'BreakGlass' });
    expect(image()).toBe(evil);
    expect(events('BreakGlass')).toBe(1);
    expect(await fixture.registry.getSingleMetricAsString('pinion_unverified_workloads')).toContain(
      `pinion_unverified_workloads{kind="${kind}",reason="BreakGlass"} 1`,
    );
    await put(annotated(withImage(deployed(7), evilImage(2)), { [metadataKeys.breakGlass]: breakGlass(expires) }));
    expect(image()).toBe(evilImage(2));
    await fixture.settle(hour);
    expect(condition('BreakGlass')).toBeUndefined();
    expect(condition('Verified')).toMatchObject({ status: 'False', reason: 'BreakGlassExpired' });
    expect(image()).toBe(evilImage(2));
    await put(annotated(withImage(deployed(7), evilImage(3)), { [metadataKeys.breakGlass]: breakGlass(expires) }));
    await fixture.restart();
    expect(image()).toBe(evilImage(2));
    await put(annotated(deployed(6), { [metadataKeys.breakGlass]: breakGlass(expires) }));
    expect(image()).toBe(evilImage(2));
    await put(annotated(deployed(8), { [metadataKeys.breakGlass]: breakGlass(expires) }));
    expect(condition('Verified')).toMatchObject({ status: 'True' });
    expect(image()).toBe(honestImage());
  });

  test('ends 24 h after it was first seen, even if the controller restarts', async () => {
    await start();
    await put(emergency(deployed(7), now() + 72 * hour));
    expect(image()).toBe(evil);
    await fixture.settle(12 * hour);
    await fixture.restart();
    expect(condition('BreakGlass')).toMatchObject({ status: 'True' });
    await fixture.settle(12 * hour);
    expect(condition('Verified')).toMatchObject({ reason: 'BreakGlassExpired' });
    await fixture.restart();
    expect(condition('Verified')).toMatchObject({ reason: 'BreakGlassExpired' });
    expect(image()).toBe(evil);
  });

  test.each(['{}', 'yes', '{"user":"rita","reason":"checkout is down","expires":"2030-01-01T00:00:00Z"}'])(
    'requires its format: %s',
    async (text) => {
      await start();
      await put(deployed(7));
      await put(annotated(withImage(deployed(7), evil), { [metadataKeys.breakGlass]: text }));
      expectFrozen('OtherWorkload');
    },
  );
});

describe('admission policies of the installation', () => {
  const name = 'deployment-order.pinterest.com';
  const policy = 'ValidatingAdmissionPolicy';
  const binding = 'ValidatingAdmissionPolicyBinding';
  const withSpec = (kind: string, fields: Fields) =>
    fixture.change(kind, '', name, (live) => ({ ...live, spec: { ...(live['spec'] as Fields), ...fields } }));
  const settle = async () => {
    await fixture.settle(1000);
    await fixture.settle(1000);
  };
  const metric = () => fixture.registry.getSingleMetricAsString('pinion_changed_admission_policies');

  test.each<[string, string, () => void]>([
    [policy, 'missing', () => fixture.server.removeObject(policy, '', name)],
    [binding, 'missing', () => fixture.server.removeObject(binding, '', name)],
    [policy, 'changed', () => withSpec(policy, { failurePolicy: 'Ignore' })],
    [policy, 'changed', () => withSpec(policy, { validations: [] })],
    [policy, 'changed', () => withSpec(policy, { matchConditions: [{ name: 'never', expression: 'false' }] })],
    [binding, 'changed', () => withSpec(binding, { validationActions: ['Audit'] })],
    [
      binding,
      'changed',
      () => withSpec(binding, { matchResources: { namespaceSelector: { matchLabels: { a: 'b' } } } }),
    ],
  ])('a %s that is %s stops new specs until it is restored; objects heal and scale', async (kind, change, attack) => {
    await start();
    await put(deployed(7));
    expect(await metric()).not.toContain('change=');
    const installed = fixture.server.find(kind, '', name) as LiveObject;
    attack();
    await settle();
    expect(condition('Verified')).toMatchObject({ status: 'True' });
    expect(await metric()).toContain(
      `pinion_changed_admission_policies{kind="${kind}",name="${name}",change="${change}"} 1`,
    );
    const next = deployed(8);
    await put({ ...next, spec: { ...next.spec, replicas: 5 } });
    expectFrozen('PoliciesChanged');
    expect(condition('Verified')?.['message']).toContain(`${kind} ${name} is ${change}; ask the platform team to run`);
    expect(fixture.status('PinterestService', 'shop', 'cart')['cause']).toMatchObject({ owner: 'platform' });
    expect(deploymentSpec()?.replicas).toBe(5);
    fixture.server.removeObject('Deployment', 'shop', 'cart');
    await settle();
    expect(image()).toBe(honestImage());
    fixture.server.put(installed);
    await settle();
    expect(condition('Verified')).toMatchObject({
      status: 'True',
      message: expect.stringContaining('Deployment 8') as string,
    });
  });

  test('while one is changed, nothing bypasses the proof, also after a restart', async () => {
    await start();
    await put(deployed(7));
    fixture.server.removeObject(policy, '', 'break-glass.pinterest.com');
    await settle();
    await fixture.restart();
    const text = `{"expires":"${new Date(fixture.clock.now() + hour).toISOString()}","reason":"checkout is down","user":"rita"}`;
    await put(annotated(withImage(deployed(7), evil), { [metadataKeys.breakGlass]: text }));
    expectFrozen('PoliciesChanged');
    fixture.installPolicies();
    await settle();
    expect(condition('Verified')).toMatchObject({ reason: 'BreakGlass' });
  });

  test('policies of others, and projects that are not protected, are not affected', async () => {
    fixture.server.put({ kind: binding, metadata: { name: 'other.example.com' }, spec: {} });
    fixture.server.removeObject(policy, '', name);
    await fixture.start(platform(), { ...project(), spec: { team: 'commerce' } } as ManifestInput<'Project'>);
    await put(deployed(7));
    expect(condition('Verified')).toBeUndefined();
    expect(image()).toBe(honestImage());
  });
});

describe('a Platform with rollouts', () => {
  const revisions = () => fixture.status('Platform', '', 'cluster')['revisions'] as { readonly current: string };
  const followed = () => fixture.status(kind, 'shop', 'cart')['platformRevision'] as { readonly name: string };
  const runReady = async (): Promise<void> => {
    for (let round = 0; round < 6; round++) await fixture.settle(61_000);
  };

  test('a workload is protected as the present Platform says, whatever revision it follows', async () => {
    const freezes = [{ name: 'always', schedule: '0 0 * * *', duration: '24h' }];
    await start({ cluster: 'other-1', rollouts: { freezes } });
    await put(deployed(7));
    expect(condition('Verified')).toBeUndefined();
    const before = revisions().current;
    fixture.apply(platform({ rollouts: { freezes } }));
    await runReady();
    expect(revisions().current).not.toBe(before);
    expect(followed().name).toBe(before);
    expect(condition('Verified')).toMatchObject({ status: 'True' });
    await put(withImage(deployed(7), evil));
    expectFrozen('OtherWorkload');
  });

  test('a rollout moves what the objects of a workload follow, not a spec without a proof', async () => {
    const rollouts = { waves: [], soak: '0s' };
    await start({ rollouts });
    await put(deployed(7));
    await put({ ...deployed(7), spec: { ...deployed(7).spec, tier: 'unknown' } });
    expectFrozen('ProofInvalid');
    fixture.apply(platform({ rollouts, environment: 'prod' }));
    await runReady();
    const [rollout] = (await fixture.server.list({ kind: 'PlatformRollout' } as never)).items;
    expect(rollout?.['status']).toHaveProperty('workloads');
    expect(rollout?.['status']).not.toHaveProperty('blocked');
    expect(followed().name).toBe(revisions().current);
    expectFrozen('ProofInvalid');
  });
});
