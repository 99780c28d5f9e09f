import { planClusterStack, planPlatformStack, platformInputsOf } from '../../stacks/plan';
import { plainCluster } from './plan/make-cluster';
import { plainPlatformInput } from './plan/platform/make-platform-input';
import { recordRun, type Recorded, type RecordedRun } from './recorded-run';

const cluster = platformInputsOf(planClusterStack(plainCluster), {
  zoneId: 'Z0123456789ABCDEFGHIJ',
  keyArn: plainPlatformInput.volumeKey ?? '',
  roles: plainPlatformInput.roles,
});
const { controllerImage, nodeLifecycleImage } = plainPlatformInput;
const observability = { rules: 'prometheus-rule' } as const;
const platform = { controllerImage, nodeLifecycleImage, observability, platform: plainPlatformInput.platform };
const references = { 'organization/pinion/cluster-shop': { platformInputs: cluster } };
const stages = planPlatformStack({ ...cluster, ...platform });
const kubeconfig = 'apiVersion: v1\nkind: Config\nusers: [{name: a, user: {token: test-token}}]\n';
let update: RecordedRun;
let preview: RecordedRun;
beforeAll(async () => {
  update = await recordRun({ stack: 'platform-shop', config: { platform }, references });
  preview = await recordRun({ stack: 'platform-shop', config: { platform, kubeconfig }, references, preview: true });
});

const objects = (): Recorded[] =>
  update.resources.filter(({ type }) => type.startsWith('kubernetes:') && type !== 'pulumi:providers:kubernetes');
const annotations = ({ inputs }: Recorded): Record<string, string> =>
  (inputs['metadata'] as { annotations: Record<string, string> }).annotations;
const stageOf = ({ parent }: Recorded): string => update.resources.find(({ urn }) => urn === parent)?.name ?? '';

test('creates every object of every stage once, under its stage, as planned', () => {
  const created = objects().map((one) => `${stageOf(one)} ${one.type.split(':').at(-1)} ${one.name}`);
  const planned = stages.flatMap((stage) =>
    stage.objects.map(({ kind, metadata: { namespace, name } }) => {
      const full = namespace === undefined ? name : `${namespace}/${name}`;
      return `${stage.name} ${kind} ${full}`;
    }),
  );
  expect(created.sort()).toEqual(planned.sort());
  const [proxy] = objects().filter(
    ({ name, type }) => name === 'kube-system/kube-proxy' && type.endsWith(':DaemonSet'),
  );
  const plan = stages
    .flatMap((one) => one.objects)
    .find((one) => one.kind === 'DaemonSet' && one.metadata.name === 'kube-proxy');
  expect(proxy?.type).toBe('kubernetes:apps/v1:DaemonSet');
  expect(proxy?.inputs).toMatchObject({ apiVersion: 'apps/v1', spec: (plan as unknown as { spec: object }).spec });
});

test('starts a stage after all objects of the previous one are ready', () => {
  const order = stages.map(({ name }) => name);
  const byUrn = new Map(update.resources.map((one) => [one.urn, one]));
  const closures = new Map<string, ReadonlySet<string>>();
  const before = (urn: string): ReadonlySet<string> => {
    const known = closures.get(urn);
    if (known) return known;
    const direct = byUrn.get(urn)?.dependencies ?? [];
    const all = new Set([...direct, ...direct.flatMap((one) => [...before(one)])]);
    closures.set(urn, all);
    return all;
  };
  for (const one of objects()) {
    const index = order.indexOf(stageOf(one) as (typeof order)[number]);
    const earlier = objects().filter((other) => stageOf(other) === order[index - 1]);
    expect(earlier.filter(({ urn }) => !before(one.urn).has(urn)).map(({ urn }) => urn)).toEqual([]);
  }
  const definitions = objects().filter(({ type }) => type.endsWith(':CustomResourceDefinition'));
  const customResources = objects().filter(({ type }) => type.startsWith('kubernetes:pinterest.com/'));
  expect(definitions.length).toBeGreaterThan(5);
  expect(customResources.length).toBeGreaterThan(5);
  expect(new Set(definitions.map(stageOf))).toEqual(new Set(['definitions']));
});

/** Objects that nothing of their stage depends on. */
const last = stages.flatMap((stage) => stage.last).map(({ namespace, name }) => `${namespace ?? ''}/${name}`);

test('no object waits for one that depends on it', () => {
  for (const one of objects().filter(({ name }) => !last.includes(name)))
    for (const urn of one.dependencies) {
      const other = objects().find((candidate) => candidate.urn === urn);
      if (!other || stageOf(other) !== stageOf(one) || 'pulumi.com/skipAwait' in annotations(other)) continue;
      expect(['Project', 'Namespace']).toContain(other.type.split(':').at(-1));
    }
});

test('a load balancer states addresses only once its ingress controller trusts it', () => {
  const [controller] = objects().filter(
    ({ name, type }) => name.endsWith('/ingress-internal') && /Service$/.test(type),
  );
  const [balancer] = objects().filter(({ name }) => name === 'platform-ingress/ingress-internal-balancer');
  expect(annotations(controller as Recorded)['pulumi.com/waitFor']).toBe('condition=Ready');
  expect(balancer?.dependencies).toContain(controller?.urn);
});

test('uses the await annotations of the provider for what a stage waits for, and nowhere else', () => {
  const awaited = stages.flatMap(({ awaits }) => awaits);
  const waiting = objects().filter((one) => !('pulumi.com/skipAwait' in annotations(one)));
  expect(waiting).toHaveLength(awaited.length);
  const byCondition = waiting.filter((one) => annotations(one)['pulumi.com/waitFor'] === 'condition=Ready');
  expect(byCondition).toHaveLength(awaited.filter(({ until }) => until === 'Ready').length);
});

test('one field manager owns the fields of every object, by server-side apply', () => {
  expect(new Set(objects().map((one) => annotations(one)['pulumi.com/patchFieldManager']))).toEqual(
    new Set(['pinion-platform']),
  );
  const provider = update.resources.find(({ type }) => type === 'pulumi:providers:kubernetes');
  expect(provider?.inputs['enableServerSideApply']).toBe('true');
  expect(objects().filter((one) => !one.provider.startsWith(provider?.urn ?? '-'))).toEqual([]);
});

test('protects CRDs, because deleting one deletes every object of its kind', () => {
  const kinds = objects()
    .filter(({ protect }) => protect)
    .map(({ type }) => type.split(':').at(-1));
  expect(new Set(kinds)).toEqual(new Set(['CustomResourceDefinition']));
});

test('passes cluster credentials as a secret, to its provider alone', () => {
  const provider = preview.resources.find(({ type }) => type === 'pulumi:providers:kubernetes');
  // The engine's signature of a secret (sdk/go/common/resource/sig).
  const mark = '"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"';
  expect(provider?.wire()).toMatch(new RegExp(`"kubeconfig":\\{[^{}]*${mark}`));
  const others = preview.resources.filter(({ urn }) => urn !== provider?.urn);
  expect(others.filter(({ wire }) => wire().includes('test-token'))).toEqual([]);
});

test('a preview registers the same objects', () => {
  expect(preview.resources.map(({ urn }) => urn).sort()).toEqual(update.resources.map(({ urn }) => urn).sort());
});

test('without a cluster it creates nothing, and the message names the stack that creates one', async () => {
  const run = recordRun({ stack: 'platform-shop', config: { platform } });
  await expect(run).rejects.toThrow(/organization\/pinion\/cluster-shop.*run "pulumi up" on that stack first/);
});

test('rejects settings that the cluster sets, together with all other problems', async () => {
  const invalid = { ...platform, controllerImage: 'no image at all', region: 'eu-west-1' };
  const run = recordRun({ stack: 'platform-shop', config: { platform: invalid }, references });
  await expect(run).rejects.toThrow(/region: "eu-west-1"[\s\S]*controllerImage/);
});
