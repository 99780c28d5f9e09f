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
import { expectStatus } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { behaviour } from '../control-plane/pod-behaviour';
import { controllerAccount, installPinion } from '../local/install-pinion';
import { describePinion, isTrue, type LiveDocument, smallTemplate, workloadOf } from './pinion-suite';
import { allDocuments, changesSince, childrenIn, type Standing, standingOf, workedThrough } from './quiet-restart';

const documents = [defaultPlatform, defaultProfile];
const patient = smallTemplate({ [behaviour.exitAfter]: 'never' });
const claim = { name: 'data', mountPath: '/data', size: '1Gi' };

/** One of each kind, whose pods run until somebody ends them. */
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
  workloadOf('PinterestJobSet', 'life', 'index', { shards: 2, volumeClaimTemplates: [claim], template: patient }),
  workloadOf('PinterestTrainingJob', 'life', 'model', {
    framework: 'pytorch',
    roles: { worker: { replicas: 2 } },
    template: patient,
  }),
  workloadOf('PinterestCronJob', 'life', 'report', { schedule: '0 3 * * *', template: smallTemplate() }),
  workloadOf('PinterestDaemon', 'machines', 'agent', { template: smallTemplate() }),
];
const namespaces = ['life', 'machines'];

/** The definition of a kind in version 0.2.0, without the status fields that only a controller of that version knows. */
const definitionBefore = (plural: string): SendableObject =>
  JSON.parse(readFileSync(join(__dirname, 'definitions-before', `${plural}.json`), 'utf8')) as SendableObject;
const changedSince: readonly PinionKind[] = ['PinterestService', 'PinterestCronJob', 'Project', 'Platform'];

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: { properties: object } } } };
    }[];
  };
}

/** Today's definition with one more field, whose default every stored object has from then on. */
function definitionAfter(kind: PinionKind): SendableObject {
  const definition = structuredClone(crdOf(kind)) as unknown as Definition & SendableObject;
  for (const { schema } of definition.spec.versions) {
    const { spec } = schema.openAPIV3Schema.properties;
    spec.properties = { ...spec.properties, afterglow: { type: 'string', default: 'soft', maxLength: 10 } };
  }
  return definition;
}

describePinion("pinion's own life", (pinion) => {
  let before: Standing;
  const admit = (definition: SendableObject) => pinion().cluster.client.admitDefinition(definition);
  const said = async (args: readonly string[], text?: string): Promise<string> => {
    const { code, stdout, stderr } = await pinion().cluster.kubectl(args, text);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  /** A controller that starts after a change of pinion, once it has nothing more to do. */
  const takenOver = async (options = {}): Promise<void> => {
    await workedThrough(pinion(), await pinion().startController(options));
  };
  const unready = async (): Promise<readonly string[]> =>
    (await allDocuments(pinion()))
      .filter((document) => !stands(document))
      .map(({ kind, metadata, status }) => `${kind} ${metadata.name} ${JSON.stringify(status)}`);

  beforeAll(async () => {
    await pinion().project('life');
    await pinion().project('machines', { infrastructure: true });
    for (const workload of workloads) await pinion().apply(workload);
    for (const { kind, metadata } of workloads)
      await pinion().until(kind, metadata.namespace as string, metadata.name, stands, 180_000);
    await workedThrough(pinion(), pinion().controller);
    before = await standingOf(pinion(), namespaces);
  }, 300_000);

  test('there is something to lose', () => {
    const kinds = new Set(Object.keys(before).map((key) => key.split(' ')[0]));
    for (const kind of ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ConfigMap'])
      expect(kinds).toContain(kind);
  });

  test('a controller that stops and starts again changes nothing', async () => {
    expect(await pinion().controller.stop()).toBe(0);
    const mark = pinion().cluster.audit.mark();
    await takenOver();
    expect(changesSince(pinion(), mark)).toEqual([]);
    expect(await standingOf(pinion(), namespaces)).toEqual(before);
  }, 180_000);

  test('a controller that knows its own annotations no more takes over what there is, without a restart', async () => {
    await pinion().controller.stop();
    const marks = [`${metadataKeys.lastAppliedHash}-`, `${metadataKeys.run}-`];
    for (const namespace of namespaces) {
      const kinds = [...new Set((await childrenIn(pinion(), [namespace])).map(({ kind }) => kind.toLowerCase()))];
      await said(['annotate', kinds.join(','), '--all', '-n', namespace, ...marks]);
    }
    await said(['annotate', 'priorityclass,clusterrole,validatingadmissionpolicy', '--all', ...marks]);
    const stripped = JSON.stringify({ status: { deployedSpecHash: null, children: null } });
    for (const { kind, metadata } of workloads) {
      const name = `${pinionKinds[kind].plural}/${metadata.name}`;
      const where = ['-n', metadata.namespace as string, '--subresource=status', '--type=merge', '-p', stripped];
      await said(['patch', name, ...where]);
    }
    const mark = pinion().cluster.audit.mark();
    await takenOver();
    expect(await standingOf(pinion(), namespaces)).toEqual(before);
    expect(changesSince(pinion(), mark).filter((change) => change.startsWith('delete'))).toEqual([]);
    const unmarked = (await childrenIn(pinion(), namespaces)).filter(
      ({ kind, metadata }) =>
        `${kind} ${metadata.name}` in ours(before) &&
        metadata.annotations?.[metadataKeys.lastAppliedHash] === undefined,
    );
    expect(unmarked.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    expect(await unready()).toEqual([]);
  }, 180_000);

  test('what was stored under the definitions of a version before is read and reconciled', async () => {
    await pinion().controller.stop();
    for (const kind of changedSince) await admit(definitionBefore(pinionKinds[kind].plural));
    const old = workloadOf('PinterestService', 'life', 'antique', { replicas: 1, template: smallTemplate() });
    await pinion().apply(old);
    const [cart] = workloads as [ManifestInput<'PinterestService'>];
    const pruned = await pinion().read('PinterestService', 'life', cart.metadata.name);
    expect(pruned?.status).not.toHaveProperty('children');
    for (const kind of changedSince) await admit(crdOf(kind) as SendableObject);
    await takenOver();
    await pinion().ready('PinterestService', 'life', 'antique', 120_000);
    expect(await standingOf(pinion(), namespaces)).toMatchObject(before);
    expect(await unready()).toEqual([]);
    await said(['delete', 'psvc', 'antique', '-n', 'life', '--cascade=foreground']);
    await workedThrough(pinion(), pinion().controller);
    expect(await standingOf(pinion(), namespaces)).toEqual(before);
  }, 180_000);

  test('a definition with a field that this controller does not know yet, and a default, stops nobody', async () => {
    await admit(definitionAfter('PinterestService'));
    await admit(definitionAfter('PinterestTrainingJob'));
    await pinion().cluster.client.waitFor('the default to be read', async () => {
      const cart = await pinion().read('PinterestService', 'life', 'cart');
      return cart?.spec['afterglow'] === 'soft';
    });
    await pinion().controller.stop();
    await takenOver();
    expect(await unready()).toEqual([]);
    expect(await standingOf(pinion(), namespaces)).toMatchObject(before);
    await said(['scale', 'psvc', 'cart', '-n', 'life', '--replicas=3']);
    const more = (document: LiveDocument) => document.status?.['readyReplicas'] === 3 && stands(document);
    await pinion().until('PinterestService', 'life', 'cart', more, 120_000);
    await said(['scale', 'psvc', 'cart', '-n', 'life', '--replicas=2']);
    const fewer = (document: LiveDocument) => document.status?.['readyReplicas'] === 2 && stands(document);
    await pinion().until('PinterestService', 'life', 'cart', fewer, 120_000);
    for (const kind of ['PinterestService', 'PinterestTrainingJob'] as const)
      await admit(crdOf(kind) as SendableObject);
    await pinion().controller.stop();
    await takenOver();
    before = await standingOf(pinion(), namespaces);
  }, 240_000);

  test('an uninstall leaves workloads, documents and definitions; an installation afterwards takes them over', async () => {
    await pinion().controller.stop();
    const there = (await allDocuments(pinion())).map(({ metadata }) => metadata.uid);
    const { namespace, name } = controllerAccount;
    const gone = uninstallManifests({ image: 'registry.example.com/pinion/controller:0.2.0', documents });
    const text = gone.map((object) => JSON.stringify(object)).join('\n---\n');
    await said(['delete', '--ignore-not-found', '-f', '-'], text);
    expect((await allDocuments(pinion())).map(({ metadata }) => metadata.uid)).toEqual(there);
    expect(await standingOf(pinion(), namespaces)).toEqual(before);
    const mark = pinion().cluster.audit.mark();
    await installPinion(pinion().cluster, documents);
    const token = await pinion().cluster.serviceAccountToken(namespace, name);
    await takenOver({ kubeconfig: pinion().cluster.kubeconfigFor({ token }) });
    expect(changesSince(pinion(), mark)).toEqual([]);
    expect(await standingOf(pinion(), namespaces)).toEqual(before);
    expect(await unready()).toEqual([]);
  }, 240_000);

  test('a Platform of the same content applied again moves nobody', async () => {
    const mark = pinion().cluster.audit.mark();
    for (const document of documents)
      expectStatus(await pinion().cluster.client.applyForReal(document as SendableObject), [200]);
    await workedThrough(pinion(), pinion().controller);
    expect(changesSince(pinion(), mark)).toEqual([]);
    expect(await standingOf(pinion(), namespaces)).toEqual(before);
  }, 120_000);
});

/** Ready, or running where it ends one day. */
function stands(document: LiveDocument): boolean {
  if (document.status?.observedGeneration !== document.metadata.generation) return false;
  if (isTrue(document, 'Stalled')) return false;
  if (isTrue(document, 'Ready')) return true;
  return document.status?.phase === 'Running';
}

/** Kind and name of what pinion made, among all that stands in its namespaces. */
const ours = (standing: Standing): Readonly<Record<string, true>> =>
  Object.fromEntries(
    Object.keys(standing)
      .filter((key) => !/kube-root-ca|\/default$|^Pod |^PersistentVolumeClaim .*-ledger-/.test(key))
      .map((key) => [key.replace(/ [^/]*\//, ' '), true]),
  );
