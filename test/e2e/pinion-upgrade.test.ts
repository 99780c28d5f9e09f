import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  crdOf,
  type ManifestInput,
  metadataKeys,
  pinionKinds,
  type PinionKind,
  type WorkloadKind,
} from '../../lib/api';
import { defaultPlatform, defaultProfile, uninstallManifests } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { podBehavior } from '../control-plane/pod-behavior';
import { controllerAccount, installPinion } from '../local/install-pinion';
import { definitionAfter } from './definition-after';
import { describePinion, isTrue, type LiveCustomResource, smallTemplate, workloadOf } from './pinion-suite';
import {
  listCustomResources,
  changesSince,
  listChildren,
  type StateSnapshot,
  takeSnapshot,
  waitUntilIdle,
} from './state-snapshot';

const documents = [defaultPlatform, defaultProfile];
const longRunning = smallTemplate({ [podBehavior.exitAfter]: 'never' });
const claim = { name: 'data', mountPath: '/data', size: '1Gi' };

/** One workload of each kind, whose pods run until they are stopped. */
const workloads: readonly ManifestInput<WorkloadKind>[] = [
  workloadOf('PinterestService', 'life', 'cart', {
    replicas: 2,
    loadBalancer: { port: 80 },
    leaderElection: true,
    config: { files: { '/etc/cart/cart.yaml': 'currency: EUR\n' } },
    template: smallTemplate(),
  }),
  workloadOf('PinterestStatefulSet', 'life', 'ledger', {
    replicas: 2,
    volumeClaimTemplates: [claim],
    template: smallTemplate(),
  }),
  workloadOf('PinterestJobSet', 'life', 'index', { shards: 2, volumeClaimTemplates: [claim], template: longRunning }),
  workloadOf('PinterestTrainingJob', 'life', 'model', {
    framework: 'pytorch',
    roles: { worker: { replicas: 2 } },
    template: longRunning,
  }),
  workloadOf('PinterestCronJob', 'life', 'report', { schedule: '0 3 * * *', template: smallTemplate() }),
  workloadOf('PinterestDaemon', 'machines', 'agent', { template: smallTemplate() }),
];
const namespaces = ['life', 'machines'];

/** CRD of a kind in version 0.2.0, without the status fields that only a controller of that version knows. */
const definitionBefore = (plural: string): SendableObject =>
  JSON.parse(readFileSync(join(__dirname, 'previous-definitions', `${plural}.json`), 'utf8')) as SendableObject;
const changedSince: readonly PinionKind[] = ['PinterestService', 'PinterestCronJob', 'Project', 'Platform'];

describePinion('upgrade and reinstallation of pinion', (pinion) => {
  let before: StateSnapshot;
  const applyCrd = (definition: SendableObject) => pinion().cluster.client.createCrd(definition);
  const kubectl = async (args: readonly string[], text?: string): Promise<string> => {
    const { code, stdout, stderr } = await pinion().cluster.kubectl(args, text);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  /** Starts a controller and waits until it is idle. */
  const startAndSettle = async (options = {}): Promise<void> => {
    await waitUntilIdle(pinion(), await pinion().startController(options));
  };
  const unready = async (): Promise<readonly string[]> =>
    (await listCustomResources(pinion()))
      .filter((document) => !isReadyOrRunning(document))
      .map(({ kind, metadata, status }) => `${kind} ${metadata.name} ${JSON.stringify(status)}`);

  beforeAll(async () => {
    await pinion().project('life');
    await pinion().project('machines', { infrastructure: true });
    for (const workload of workloads) await pinion().apply(workload);
    for (const { kind, metadata } of workloads)
      await pinion().until(kind, metadata.namespace as string, metadata.name, isReadyOrRunning, 180_000);
    await waitUntilIdle(pinion(), pinion().controller);
    before = await takeSnapshot(pinion(), namespaces);
  }, 300_000);

  test('the cluster has objects of every kind', () => {
    const kinds = new Set(Object.keys(before).map((key) => key.split(' ')[0]));
    for (const kind of ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ConfigMap'])
      expect(kinds).toContain(kind);
  });

  test('a controller restart changes nothing', async () => {
    expect(await pinion().controller.stop()).toBe(0);
    const mark = pinion().cluster.audit.mark();
    await startAndSettle();
    expect(changesSince(pinion(), mark)).toEqual([]);
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
  }, 180_000);

  test('takes over objects without their pinion annotations, and restarts no pod', async () => {
    await pinion().controller.stop();
    const annotationRemovals = [`${metadataKeys.lastAppliedHash}-`, `${metadataKeys.run}-`];
    for (const namespace of namespaces) {
      const kinds = [...new Set((await listChildren(pinion(), [namespace])).map(({ kind }) => kind.toLowerCase()))];
      await kubectl(['annotate', kinds.join(','), '--all', '-n', namespace, ...annotationRemovals]);
    }
    await kubectl(['annotate', 'priorityclass,clusterrole,validatingadmissionpolicy', '--all', ...annotationRemovals]);
    const stripped = JSON.stringify({ status: { deployedSpecHash: null, children: null } });
    for (const { kind, metadata } of workloads) {
      const name = `${pinionKinds[kind].plural}/${metadata.name}`;
      const where = ['-n', metadata.namespace as string, '--subresource=status', '--type=merge', '-p', stripped];
      await kubectl(['patch', name, ...where]);
    }
    const mark = pinion().cluster.audit.mark();
    await startAndSettle();
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
    expect(changesSince(pinion(), mark).filter((change) => change.startsWith('delete'))).toEqual([]);
    const unmarked = (await listChildren(pinion(), namespaces)).filter(
      ({ kind, metadata }) =>
        `${kind} ${metadata.name}` in createdByPinion(before) &&
        metadata.annotations?.[metadataKeys.lastAppliedHash] === undefined,
    );
    expect(unmarked.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    expect(await unready()).toEqual([]);
  }, 180_000);

  test('reads and reconciles objects that were stored under the previous CRDs', async () => {
    await pinion().controller.stop();
    for (const kind of changedSince) await applyCrd(definitionBefore(pinionKinds[kind].plural));
    const oldSpec = { replicas: 1, apiAccess: true, template: smallTemplate() };
    await pinion().apply(workloadOf('PinterestService', 'life', 'old-schema', oldSpec));
    await pinion().apply(workloadOf('PinterestService', 'life', 'old-default', { ...oldSpec, apiAccess: false }));
    const [cart] = workloads as [ManifestInput<'PinterestService'>];
    const pruned = await pinion().read('PinterestService', 'life', cart.metadata.name);
    expect(pruned?.status).not.toHaveProperty('children');
    for (const kind of changedSince) await applyCrd(crdOf(kind) as SendableObject);
    await startAndSettle();
    const tokens = { 'old-schema': true, 'old-default': false };
    for (const [name, mountsToken] of Object.entries(tokens)) {
      await pinion().ready('PinterestService', 'life', name, 120_000);
      // As under the previous CRD, where the field was boolean.
      expect((await pinion().read('PinterestService', 'life', name))?.spec['apiAccess']).toBe(mountsToken);
      const template = ['-o', 'jsonpath={.spec.template.spec.automountServiceAccountToken}'];
      expect(await kubectl(['get', 'deployment', name, '-n', 'life', ...template])).toBe(String(mountsToken));
      // Writes of the whole object, of a part, and of what an applier owns.
      await kubectl(['annotate', 'psvc', name, '-n', 'life', 'example.com/seen=yes']);
      await kubectl(['scale', 'psvc', name, '-n', 'life', '--replicas=2']);
      await pinion().apply(workloadOf('PinterestService', 'life', name, { ...oldSpec, apiAccess: mountsToken }));
    }
    expect(await takeSnapshot(pinion(), namespaces)).toMatchObject(before);
    expect(await unready()).toEqual([]);
    await kubectl(['delete', 'psvc', 'old-schema', 'old-default', '-n', 'life', '--cascade=foreground']);
    await waitUntilIdle(pinion(), pinion().controller);
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
  }, 180_000);

  test('reconciles under a CRD with an unknown field and a default', async () => {
    await applyCrd(definitionAfter('PinterestService'));
    await applyCrd(definitionAfter('PinterestTrainingJob'));
    await pinion().cluster.client.waitFor('the default to be read', async () => {
      const cart = await pinion().read('PinterestService', 'life', 'cart');
      return cart?.spec['newField'] === 'soft';
    });
    await pinion().controller.stop();
    await startAndSettle();
    expect(await unready()).toEqual([]);
    expect(await takeSnapshot(pinion(), namespaces)).toMatchObject(before);
    await kubectl(['scale', 'psvc', 'cart', '-n', 'life', '--replicas=3']);
    const more = (document: LiveCustomResource) =>
      document.status?.['readyReplicas'] === 3 && isReadyOrRunning(document);
    await pinion().until('PinterestService', 'life', 'cart', more, 120_000);
    await kubectl(['scale', 'psvc', 'cart', '-n', 'life', '--replicas=2']);
    const fewer = (document: LiveCustomResource) =>
      document.status?.['readyReplicas'] === 2 && isReadyOrRunning(document);
    await pinion().until('PinterestService', 'life', 'cart', fewer, 120_000);
    for (const kind of ['PinterestService', 'PinterestTrainingJob'] as const)
      await applyCrd(crdOf(kind) as SendableObject);
    await pinion().controller.stop();
    await startAndSettle();
    before = await takeSnapshot(pinion(), namespaces);
  }, 240_000);

  test('an uninstall keeps workloads, custom resources and CRDs, and a reinstallation takes them over', async () => {
    await pinion().controller.stop();
    const uidsBefore = (await listCustomResources(pinion())).map(({ metadata }) => metadata.uid);
    const { namespace, name } = controllerAccount;
    const manifests = uninstallManifests({ image: 'registry.example.com/pinion/controller:0.2.0', documents });
    const text = manifests.map((object) => JSON.stringify(object)).join('\n---\n');
    await kubectl(['delete', '--ignore-not-found', '-f', '-'], text);
    expect((await listCustomResources(pinion())).map(({ metadata }) => metadata.uid)).toEqual(uidsBefore);
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
    const mark = pinion().cluster.audit.mark();
    await installPinion(pinion().cluster, documents);
    const token = await pinion().cluster.serviceAccountToken(namespace, name);
    await startAndSettle({ kubeconfig: pinion().cluster.kubeconfigFor({ token }) });
    expect(changesSince(pinion(), mark)).toEqual([]);
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
    expect(await unready()).toEqual([]);
  }, 240_000);

  test('applying an unchanged Platform again restarts no pod', async () => {
    const mark = pinion().cluster.audit.mark();
    for (const document of documents)
      expectStatus(await pinion().cluster.client.apply(document as SendableObject), [200]);
    await waitUntilIdle(pinion(), pinion().controller);
    expect(changesSince(pinion(), mark)).toEqual([]);
    expect(await takeSnapshot(pinion(), namespaces)).toEqual(before);
  }, 120_000);
});

/** Returns whether a workload is Ready or, if it runs to completion, Running. */
function isReadyOrRunning(document: LiveCustomResource): boolean {
  if (document.status?.observedGeneration !== document.metadata.generation) return false;
  if (isTrue(document, 'Stalled')) return false;
  if (isTrue(document, 'Ready')) return true;
  return document.status?.phase === 'Running';
}

/** Returns kind and name of the objects that pinion created in its namespaces. */
const createdByPinion = (snapshot: StateSnapshot): Readonly<Record<string, true>> =>
  Object.fromEntries(
    Object.keys(snapshot)
      .filter((key) => !/kube-root-ca|\/default$|^Pod |^PersistentVolumeClaim .*-ledger-/.test(key))
      .map((key) => [key.replace(/ [^/]*\//, ' '), true]),
  );
