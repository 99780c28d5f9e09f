import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput, type WorkloadKind, workloadKinds } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { podBehavior } from '../control-plane/pod-behavior';
import { shippedController } from '../local/controller-process';
import { describePinion, isTrue, type LiveCustomResource, smallTemplate, workloadOf } from './pinion-suite';
import { changesSince, listCustomResources, type StateSnapshot, takeSnapshot, waitUntilIdle } from './state-snapshot';

const longRunning = smallTemplate({ [podBehavior.exitAfter]: 'never' });
const claim = { name: 'data', mountPath: '/data', size: '1Gi' };

/** Workloads of each kind, in two projects. */
const workloads: readonly ManifestInput<WorkloadKind>[] = [
  workloadOf('PinterestService', 'first', 'cart', {
    replicas: 2,
    loadBalancer: { port: 80 },
    config: { files: { '/etc/cart/cart.yaml': 'currency: EUR\n' } },
    template: smallTemplate(),
  }),
  workloadOf('PinterestService', 'second', 'search', { replicas: 1, template: smallTemplate() }),
  workloadOf('PinterestStatefulSet', 'first', 'ledger', {
    replicas: 1,
    volumeClaimTemplates: [claim],
    template: smallTemplate(),
  }),
  workloadOf('PinterestJobSet', 'second', 'index', { shards: 2, template: longRunning }),
  workloadOf('PinterestTrainingJob', 'second', 'model', {
    framework: 'pytorch',
    roles: { worker: { replicas: 2 } },
    template: longRunning,
  }),
  workloadOf('PinterestCronJob', 'first', 'report', { schedule: '0 3 * * *', template: smallTemplate() }),
  workloadOf('PinterestDaemon', 'machines', 'agent', { template: smallTemplate() }),
];
const namespaces = ['first', 'second', 'machines'];

/** Code of the shipped controller that every pod template comes from, and what a mistake would make of it. */
const planted = { code: /\.enableServiceLinks \?\? (?:!1|false)/g, instead: '.enableServiceLinks ?? true' };

/** Writes a controller that expands other pod templates than the shipped one, from the same inputs. */
function controllerWithMistake(folder: string): string {
  const text = readFileSync(shippedController, 'utf8');
  expect(text.match(planted.code)).toHaveLength(1);
  const program = join(folder, 'controller-with-mistake.js');
  writeFileSync(program, text.replace(planted.code, planted.instead));
  return program;
}

const isHeld = (document: LiveCustomResource): boolean => isTrue(document, 'ExpansionDiffers');
const isReadyOrRunning = (document: LiveCustomResource): boolean =>
  isTrue(document, 'Ready') || document.status?.phase === 'Running';

describePinion('pod templates that only the library changed', (pinion) => {
  let before: StateSnapshot;
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await pinion().cluster.kubectl(args);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const liveWorkloads = async (): Promise<readonly LiveCustomResource[]> =>
    (await listCustomResources(pinion())).filter(({ kind }) => Object.hasOwn(workloadKinds, kind));
  const namesOf = (documents: readonly LiveCustomResource[]): readonly string[] =>
    documents.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`).sort();
  const writesOfChildren = (mark: Parameters<typeof changesSince>[1]): readonly string[] =>
    changesSince(pinion(), mark).filter((change) => !change.includes('/status'));
  const linksOf = (resource: string, namespace: string, name: string): Promise<string> =>
    kubectl('get', resource, name, '-n', namespace, '-o', 'jsonpath={..spec.template.spec.enableServiceLinks}');
  const release = (heldBefore: string, projects: string[]) =>
    pinion().apply({
      ...defaultPlatform,
      spec: { ...defaultPlatform.spec, runtime: { expansionRelease: { heldBefore, projects } } },
    });

  beforeAll(async () => {
    await pinion().project('first');
    await pinion().project('second');
    await pinion().project('machines', { infrastructure: true });
    for (const workload of workloads) await pinion().apply(workload);
    for (const { kind, metadata } of workloads)
      await pinion().until(kind, metadata.namespace as string, metadata.name, isReadyOrRunning, 180_000);
    await waitUntilIdle(pinion(), pinion().controller);
    before = await takeSnapshot(pinion(), namespaces);
  }, 300_000);

  test('the first start on a fleet of a former version records them without a write to an object', async () => {
    await pinion().controller.stop();
    for (const { kind, metadata } of await liveWorkloads())
      await kubectl(
        ...['patch', `${kind.toLowerCase()}s.pinterest.com`, metadata.name, '-n', metadata.namespace ?? ''],
        ...['--subresource=status', '--type=merge', '-p', '{"status":{"expansion":null}}'],
      );
    const mark = pinion().cluster.audit.mark();
    await waitUntilIdle(pinion(), await pinion().startController());
    expect(writesOfChildren(mark)).toEqual([]);
    const records = (await liveWorkloads()).map(({ status }) => status?.['expansion']);
    expect(records).toEqual(
      records.map(() => ({
        inputs: expect.any(String) as string,
        podTemplates: expect.stringMatching(/^1-[0-9a-f]+$/) as string,
      })),
    );
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
  }, 240_000);

  test('change no pod, and are reported for every workload', async () => {
    await pinion().controller.stop();
    const mark = pinion().cluster.audit.mark();
    await waitUntilIdle(
      pinion(),
      await pinion().startController({ program: controllerWithMistake(pinion().cluster.folder) }),
    );
    const live = await liveWorkloads();
    expect(namesOf(live.filter(isHeld))).toEqual(namesOf(live));
    expect(live.filter((document) => !isReadyOrRunning(document))).toEqual([]);
    expect(writesOfChildren(mark)).toEqual([]);
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
    const { text } = await pinion().controller.get('/metrics');
    expect(text).toMatch(/^pinion_held_workloads\{kind="PinterestService"\} 2$/m);
    expect(await kubectl('get', 'events', '-n', 'first', '--field-selector=reason=ExpansionDiffers')).toContain('cart');
  }, 240_000);

  test('reach the workloads of the projects that the Platform releases, and no others', async () => {
    const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    await release(now, ['first']);
    for (const [kind, name] of [
      ['PinterestService', 'cart'],
      ['PinterestStatefulSet', 'ledger'],
      ['PinterestCronJob', 'report'],
    ] as const)
      await pinion().until(kind, 'first', name, (document) => !isHeld(document) && isTrue(document, 'Ready'), 120_000);
    expect(await linksOf('deployment', 'first', 'cart')).toBe('true');
    expect(await linksOf('statefulset', 'first', 'ledger')).toBe('true');
    expect(await linksOf('cronjob', 'first', 'report')).toBe('true');
    await waitUntilIdle(pinion(), pinion().controller);
    const untouched = (snapshot: StateSnapshot) => Object.entries(snapshot).filter(([key]) => !key.includes(' first/'));
    expect(untouched(await takeSnapshot(pinion(), namespaces))).toEqual(untouched(before));
    // A tenant who deploys takes the change along with the deployment.
    await pinion().apply(
      workloadOf('PinterestService', 'second', 'search', {
        replicas: 1,
        template: smallTemplate(),
        annotations: { 'example.com/build': '2' },
      }),
    );
    await pinion().until(
      'PinterestService',
      'second',
      'search',
      (document) => !isHeld(document) && isTrue(document, 'Ready'),
      120_000,
    );
    expect(await linksOf('deployment', 'second', 'search')).toBe('true');
    expect(isHeld((await pinion().read('PinterestDaemon', 'machines', 'agent')) as LiveCustomResource)).toBe(true);
  }, 240_000);

  test('reach the others in waves once the Platform raises the epoch', async () => {
    const rollouts = { waves: [{ name: 'first', projects: ['second'], soak: '1s' }], soak: '1s' };
    const inEpoch = (runtime: object) =>
      pinion().apply({ ...defaultPlatform, spec: { ...defaultPlatform.spec, rollouts, runtime } });
    await inEpoch({});
    await pinion().until('Platform', '', 'cluster', ({ status }) => status?.['revisions'] !== undefined);
    await waitUntilIdle(pinion(), pinion().controller);
    expect(isHeld((await pinion().read('PinterestDaemon', 'machines', 'agent')) as LiveCustomResource)).toBe(true);
    await inEpoch({ expansionEpoch: 2 });
    await pinion().until(
      'PinterestDaemon',
      'machines',
      'agent',
      (document) => !isHeld(document) && isTrue(document, 'Ready'),
      120_000,
    );
    expect(await linksOf('daemonset', 'machines', 'agent')).toBe('true');
    const { status } = await pinion().until('Platform', '', 'cluster', (document) => {
      const { current, completed } = document.status?.['revisions'] as { current: string; completed: string };
      return current === completed;
    });
    const { rollout } = status?.['revisions'] as { rollout: string };
    const waves = (await pinion().read('PlatformRollout', '', rollout))?.status?.['waves'] as { name: string }[];
    expect(waves.at(-1)?.name).toBe('daemons');
  }, 240_000);

  test('reach runs, too, once the Platform releases all', async () => {
    await release(new Date().toISOString().replace(/\.\d+Z$/, 'Z'), []);
    await waitUntilIdle(pinion(), pinion().controller);
    expect(namesOf((await liveWorkloads()).filter(isHeld))).toEqual([]);
  }, 240_000);
});
