import { apiVersion, type ManifestInput } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { connect, loadKubeConfig } from '../../lib/kube';
import { recordRun } from '../../lib/operations';
import { podBehavior } from '../control-plane/pod-behavior';
import { realClock } from '../kube/real-clock';
import { definitionAfter } from './definition-after';
import { KubectlView } from './kubectl-view';
import { describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

type Runtime = NonNullable<ManifestInput<'Platform'>['spec']['runtime']>;

const platform = (runtime: Runtime): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, runtime },
});

/** Returns a profile with a sidecar of a tag and a node agent. */
const profile = (name: string, tag: string): ManifestInput<'RuntimeProfile'> => ({
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name },
  spec: {
    version: `${tag}.0.0`,
    summary: 'A profile for tests.',
    parts: [
      {
        name: 'logs',
        summary: 'A placeholder sidecar.',
        injection: 'Required',
        kinds: ['PinterestService', 'PinterestJobSet'],
        pod: {
          sidecars: [
            {
              name: 'pinion-logs',
              image: `registry.example.com/logs:${tag}`,
              resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
                runAsNonRoot: true,
                runAsUser: 65532,
                seccompProfile: { type: 'RuntimeDefault' },
              },
            },
          ],
        },
      },
      {
        name: 'node-agent',
        summary: 'A placeholder node agent.',
        injection: 'Required',
        node: { daemon: { template: smallTemplate() } },
      },
    ],
  },
});

describePinion(
  'the runtime profile rollout of a cluster',
  (pinion) => {
    const namespace = 'shop';
    const kubectl = new KubectlView(pinion, () => namespace);
    const system = new KubectlView(pinion, () => 'pinion-system');
    const kind = 'PinterestService';
    const service = (name: string, annotations: Readonly<Record<string, string>> = {}) =>
      pinion().apply(workloadOf(kind, namespace, name, { template: smallTemplate(), annotations }));
    const readyOn = (name: string, profileName: string) =>
      pinion().until(
        kind,
        namespace,
        name,
        (live) => live.status?.['runtimeProfile'] === profileName && isTrue(live, 'Ready'),
        120_000,
      );
    const profiles = (counts: Readonly<Record<string, number>>) =>
      pinion().until(
        'Platform',
        '',
        'cluster',
        ({ status }) => JSON.stringify(status?.['profiles']) === JSON.stringify(counts),
        60_000,
      );
    const sidecars = async (workload: string) =>
      (await kubectl.pods(workload)).map(({ spec }) => (spec['initContainers'] as { image: string }[])[0]?.image);

    beforeAll(async () => {
      await pinion().project(namespace);
      await service('cart');
      await service('search');
      await pinion().apply(
        workloadOf('PinterestJobSet', namespace, 'batch', {
          template: smallTemplate({ [podBehavior.exitAfter]: 'never' }),
        }),
      );
      for (const name of ['cart', 'search']) await readyOn(name, 'lean-1');
      await pinion().ready('PinterestJobSet', namespace, 'batch', 90_000);
    }, 180_000);

    test('runs its node-level parts as daemons in the system project', async () => {
      await pinion().ready('Platform', '', 'cluster', 90_000);
      const live = await pinion().ready('PinterestDaemon', 'pinion-system', 'node-agent', 90_000);
      expect(live.status).toMatchObject({ readyNodes: 3 });
      expect((await system.object('pds', 'node-agent'))?.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind: 'Platform', name: 'cluster' }),
      ]);
    }, 200_000);

    test('the Platform and the profile count the workloads that use the profile', async () => {
      await profiles({ 'lean-1': 4 });
      await pinion().until('RuntimeProfile', '', 'lean-1', ({ status }) => status?.['workloads'] === 4);
      const [row] = await kubectl.table('rtp', 'lean-1');
      expect(row).toMatchObject({ READY: 'True', VERSION: '1.0.0', WORKLOADS: '4' });
    }, 90_000);

    test('OnNextDeploy moves workloads to a new profile when they are next deployed', async () => {
      const [cart, search] = [await kubectl.uids('cart'), await kubectl.uids('search')];
      await pinion().apply(profile('lean-2', '2'));
      await pinion().apply(platform({ profile: 'lean-2', rollout: 'OnNextDeploy', rolloutDeadline: '14d' }));
      await pinion().until(
        'Platform',
        '',
        'cluster',
        ({ status }) => (status?.['runtime'] as { profile: string }).profile === 'lean-2',
      );
      await service('new');
      await readyOn('new', 'lean-2');
      expect(await sidecars('new')).toEqual(['registry.example.com/logs:2']);
      // Scaling does not count as a deployment, not even if a newer definition has added a default since.
      await pinion().cluster.client.createCrd(definitionAfter(kind));
      await pinion().until(kind, namespace, 'search', ({ spec }) => spec['newField'] === 'soft');
      await kubectl.run('scale', 'psvc/search', '--replicas=2');
      await pinion().until(kind, namespace, 'search', ({ status }) => status?.['readyReplicas'] === 2, 90_000);
      await service('cart', { 'example.com/build': '2' });
      await readyOn('cart', 'lean-2');
      expect(await kubectl.uids('cart')).not.toEqual(cart);
      expect(await kubectl.uids('search')).toEqual(expect.arrayContaining([...search]));
      expect(await sidecars('search')).toEqual(Array(2).fill('registry.example.com/logs:1'));
    }, 240_000);

    test('after the deadline the remaining workloads move, and running jobs keep their profile', async () => {
      const job = await kubectl.uids('batch');
      await pinion().apply(platform({ profile: 'lean-2', rollout: 'OnNextDeploy', rolloutDeadline: '1s' }));
      await readyOn('search', 'lean-2');
      expect(await sidecars('search')).toEqual(Array(2).fill('registry.example.com/logs:2'));
      await profiles({ 'lean-1': 1, 'lean-2': 4 });
      expect(await kubectl.uids('batch')).toEqual(job);
      expect((await pinion().read('PinterestJobSet', namespace, 'batch'))?.status).toMatchObject({
        runtimeProfile: 'lean-1',
      });
    }, 180_000);

    test('a profile with a new name and the same content restarts nothing', async () => {
      const pods = await Promise.all(['cart', 'search', 'new', 'batch'].map((name) => kubectl.uids(name)));
      await pinion().apply(profile('lean-3', '2'));
      await pinion().apply(platform({ profile: 'lean-3', rollout: 'Immediate' }));
      await pinion().until(
        'Platform',
        '',
        'cluster',
        ({ status }) => (status?.['runtime'] as { profile: string }).profile === 'lean-3',
      );
      await service('unchanged');
      await readyOn('unchanged', 'lean-3');
      for (const name of ['cart', 'search', 'new']) await pinion().ready(kind, namespace, name);
      expect(await Promise.all(['cart', 'search', 'new', 'batch'].map((name) => kubectl.uids(name)))).toEqual(pods);
    }, 120_000);

    test('with a canary gate nothing moves until the canary passes on the new profile', async () => {
      const pods = await kubectl.uids('cart');
      const client = connect(loadKubeConfig({ file: pinion().cluster.kubeconfig, environment: {} }), {
        ...{ clock: realClock, userAgent: 'pinion-test' },
      });
      const namespaceOfCanary = 'pinion-canary';
      await pinion().project(namespaceOfCanary);
      const record = (profileName: string, state: 'passed' | 'failed') => {
        const now = new Date().toISOString();
        const cases = [{ kind: 'PinterestService', deploymentPath: 'controller', state, steps: [] }] as const;
        return recordRun(client, namespaceOfCanary, {
          id: profileName,
          began: now,
          ended: now,
          profile: profileName,
          swept: 0,
          cases,
        });
      };
      const blockedBy = (text: RegExp) =>
        pinion().until(
          'Platform',
          '',
          'cluster',
          ({ status }) =>
            text.test(String((status?.['runtime'] as { rolloutBlockedReason?: string }).rolloutBlockedReason)),
          60_000,
        );
      await record('lean-3', 'passed');
      await pinion().apply(profile('lean-4', '4'));
      const images = { logs: 'registry.example.com/logs:4' };
      await pinion().apply(platform({ profile: 'lean-4', rollout: 'Immediate', canary: {}, images }));
      await blockedBy(/last run used the runtime profile lean-3/);
      await record('lean-4', 'failed');
      await blockedBy(/the canary is failing: PinterestService through controller/);
      expect(await kubectl.uids('cart')).toEqual(pods);
      // An urgent deployment does not get what the canary rejects: neither the profile nor its images.
      await service('cart', { 'example.com/build': '3' });
      await pinion().until(kind, namespace, 'cart', ({ metadata, status }) => {
        const { observedGeneration, updatedReplicas } = status ?? {};
        return observedGeneration === metadata.generation && updatedReplicas === 1;
      });
      await readyOn('cart', 'lean-2');
      expect(await kubectl.uids('cart')).not.toEqual(pods);
      expect(new Set(await sidecars('cart'))).toEqual(new Set(['registry.example.com/logs:2']));
      await record('lean-4', 'passed');
      await blockedBy(/undefined/);
      await readyOn('cart', 'lean-4');
      client.close();
    }, 240_000);

    test('naming a former profile moves workloads back at once, without a run of the canary', async () => {
      await pinion().apply(platform({ profile: 'lean-3', rollout: 'OnNextDeploy', canary: {} }));
      for (const name of ['cart', 'search', 'new', 'unchanged']) {
        await readyOn(name, 'lean-3');
        expect(new Set(await sidecars(name))).toEqual(new Set(['registry.example.com/logs:2']));
      }
    }, 240_000);

    test('Immediate moves all services at once', async () => {
      const job = await kubectl.uids('batch');
      await pinion().apply(platform({ profile: 'lean-4', rollout: 'Immediate' }));
      for (const name of ['cart', 'search', 'new', 'unchanged']) {
        await readyOn(name, 'lean-4');
        expect(new Set(await sidecars(name))).toEqual(new Set(['registry.example.com/logs:4']));
      }
      expect(await kubectl.uids('batch')).toEqual(job);
      await profiles({ 'lean-1': 1, 'lean-4': 5 });
    }, 240_000);

    test('only an unused profile can be deleted', async () => {
      await pinion().until('RuntimeProfile', '', 'lean-2', ({ status }) => status?.['workloads'] === 0);
      for (const [name, expectedError] of [
        ['lean-1', /RuntimeProfile lean-1 still has 1 workload/],
        ['lean-4', /lean-4 still has 5 workloads|the Platform uses this RuntimeProfile/],
      ] as const) {
        const { code, stderr } = await kubectl.attempt('delete', 'rtp', name, '--wait=false');
        expect(code).not.toBe(0);
        expect(stderr).toMatch(expectedError);
      }
      await kubectl.run('delete', 'rtp', 'lean-2');
    }, 90_000);
  },
  { documents: [platform({ profile: 'lean-1' }), profile('lean-1', '1')] },
);
