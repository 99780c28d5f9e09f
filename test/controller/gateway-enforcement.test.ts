import { apiVersion, parseManifest, type PlatformManifest } from '../../lib/api';
import { GatewayEnforcement, hasDirectToken } from '../../lib/controller/gateway-enforcement';
import { defaultPlatform } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';

const audiences = ['https://kubernetes.default.svc'];
type Stage = 'Off' | 'Observe' | 'Enforce';
const platformAt = (stage: Stage, more: object = {}): PlatformManifest<'Platform'> =>
  parseManifest({
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      gateway: {
        address: '10.96.0.20',
        certificateAuthority: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
        stage,
        audiences,
        ...more,
      },
    },
  });
const objectOf = (kind: string, namespace: string, name: string, body: object = {}): LiveObject => ({
  apiVersion: kind === 'Pod' ? 'v1' : apiVersion,
  kind,
  metadata: { name, ...(namespace !== '' && { namespace }), uid: `${namespace}-${name}`, resourceVersion: '1' },
  ...body,
});
const tokenOf = (audience?: string) => ({
  spec: {
    volumes: [{ projected: { sources: [{ serviceAccountToken: audience === undefined ? {} : { audience } }] } }],
  },
});
const projects = [
  objectOf('Project', '', 'shop', { spec: {} }),
  objectOf('Project', '', 'agents', { spec: { infrastructure: true } }),
  objectOf('Project', '', 'pinion-quota', { spec: {} }),
];

/** Enforcement over a cluster with pods, and with or without the policy that leads native pods to the gateway. */
function enforcementOver(pods: LiveObject[], hasPolicy = true) {
  let now = 0;
  let lists = 0;
  const enforcement = new GatewayEnforcement({
    client: {
      get: () => Promise.resolve(hasPolicy ? objectOf('MutatingAdmissionPolicy', '', 'any') : undefined),
      list: (_, { limit = 0, continue: from = '0' }) => {
        lists++;
        const items = pods.slice(Number(from), Number(from) + limit);
        const next = Number(from) + limit;
        return Promise.resolve({ items, resourceVersion: '1', ...(next < pods.length && { continue: String(next) }) });
      },
    },
    projects: () => projects,
    now: () => now,
  });
  return { enforcement, advance: (milliseconds: number) => void (now += milliseconds), lists: () => lists };
}

test.each([
  ['no volumes', {}, false],
  ['a token without audience', tokenOf(), true],
  ['a token of the API server', tokenOf('https://kubernetes.default.svc'), true],
  ['a token of the gateway', tokenOf('pinion-gateway'), false],
  ['a pod that has ended', { ...tokenOf(), status: { phase: 'Succeeded' } }, false],
])('a pod with %s: direct %p', (_, body, isDirect) => {
  expect(hasDirectToken(objectOf('Pod', 'shop', 'app', body), audiences)).toBe(isDirect);
});

test('counts nothing without a stage', async () => {
  const { enforcement, lists } = enforcementOver([]);
  expect(await enforcement.stateOf(parseManifest(defaultPlatform), undefined)).toBeUndefined();
  expect(await enforcement.stateOf(platformAt('Off'), { enforced: true })).toBeUndefined();
  expect(lists()).toBe(0);
});

test('waits for pods of projects that must use the gateway, on all pages, and looks again after a minute', async () => {
  const pods = Array.from({ length: 700 }, (_, index) =>
    objectOf('Pod', 'shop', `app-${index}`, tokenOf('pinion-gateway')),
  );
  pods.push(objectOf('Pod', 'shop', 'old', tokenOf()), objectOf('Pod', 'agents', 'node', tokenOf()));
  pods.push(objectOf('Pod', 'kube-system', 'dns', tokenOf()), objectOf('Pod', 'pinion-quota', 'monitor', tokenOf()));
  const { enforcement, advance, lists } = enforcementOver(pods);
  const platform = platformAt('Enforce');
  expect(await enforcement.stateOf(platform, undefined)).toEqual({
    status: { enforced: false, directPods: 1, pendingReason: expect.stringContaining('shop/old') as string },
    requeueAfter: 60_000,
  });
  expect(lists()).toBe(2);
  pods.splice(700, 1);
  advance(59_000);
  expect(await enforcement.stateOf(platform, undefined)).toMatchObject({
    status: { enforced: false },
    requeueAfter: 1000,
  });
  advance(1000);
  expect(await enforcement.stateOf(platform, undefined)).toEqual({
    status: { enforced: true, directPods: 0 },
    requeueAfter: 600_000,
  });
});

test('names the pods that stay direct after the enforcement has begun, every ten minutes, and does not end it', async () => {
  const pods = [objectOf('Pod', 'shop', 'old', tokenOf())];
  const { enforcement, advance, lists } = enforcementOver(pods);
  const platform = platformAt('Enforce');
  const named = {
    status: { enforced: true, directPods: 1, pendingReason: expect.stringContaining('shop/old') as string },
    requeueAfter: 600_000,
  };
  expect(await enforcement.stateOf(platform, { enforced: true })).toEqual(named);
  advance(599_000);
  expect(await enforcement.stateOf(platform, { enforced: true })).toEqual({ ...named, requeueAfter: 1000 });
  expect(lists()).toBe(1);
  pods.pop();
  advance(1000);
  expect(await enforcement.stateOf(platform, { enforced: true })).toEqual({
    status: { enforced: true, directPods: 0 },
    requeueAfter: 600_000,
  });
});

test('what another process has enforced stays so', async () => {
  const { enforcement } = enforcementOver([objectOf('Pod', 'shop', 'old', tokenOf())]);
  const platform = platformAt('Enforce');
  expect((await enforcement.stateOf(platform, undefined))?.status.enforced).toBe(false);
  expect((await enforcement.stateOf(platform, { enforced: true }))?.status.enforced).toBe(true);
  const { enforcement: without } = enforcementOver([], false);
  expect((await without.stateOf(platform, { enforced: true }))?.status.enforced).toBe(true);
});

test('Observe counts, and refuses nothing', async () => {
  const { enforcement } = enforcementOver([]);
  const state = await enforcement.stateOf(platformAt('Observe'), { enforced: true });
  expect(state).toEqual({ status: { enforced: false, directPods: 0 }, requeueAfter: 60_000 });
});

test('a changed Platform is checked at once; force does not wait', async () => {
  const { enforcement } = enforcementOver([objectOf('Pod', 'shop', 'old', tokenOf())]);
  expect((await enforcement.stateOf(platformAt('Enforce'), undefined))?.status.enforced).toBe(false);
  const forced = platformAt('Enforce', { force: true });
  expect(await enforcement.stateOf(forced, { enforced: false })).toMatchObject({
    status: { enforced: true, directPods: 1 },
  });
});

test('enforces nothing where nothing leads native pods to the gateway', async () => {
  const { enforcement } = enforcementOver([], false);
  const { status } = (await enforcement.stateOf(platformAt('Enforce', { force: true }), undefined)) ?? {};
  expect(status).toEqual({
    enforced: false,
    pendingReason: expect.stringContaining('MutatingAdmissionPolicy gateway-injection.pinterest.com') as string,
  });
});

test('says what it cannot read', async () => {
  const { enforcement } = enforcementOver([]);
  const failing = new GatewayEnforcement({
    client: { get: () => Promise.reject(new Error('forbidden')), list: () => Promise.reject(new Error('unused')) },
    projects: () => [],
    now: () => 0,
  });
  expect(await enforcement.stateOf(platformAt('Enforce'), undefined)).toMatchObject({ status: { enforced: true } });
  for (const enforced of [false, true])
    expect(await failing.stateOf(platformAt('Enforce'), { enforced })).toMatchObject({
      status: { enforced, pendingReason: expect.stringContaining('forbidden') as string },
    });
});
