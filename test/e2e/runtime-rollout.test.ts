import { apiVersion, type ManifestInput } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { connect, loadKubeConfig } from '../../lib/kube';
import { recordRun } from '../../lib/operations';
import { behaviour } from '../control-plane/pod-behaviour';
import { realClock } from '../kube/real-clock';
import { KubectlView } from './kubectl-view';
import { describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

type Runtime = NonNullable<ManifestInput<'Platform'>['spec']['runtime']>;

const platform = (runtime: Runtime): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, runtime },
});

/** A profile with a sidecar of that tag, and an agent of the node. */
const profile = (name: string, tag: string): ManifestInput<'RuntimeProfile'> => ({
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name },
  spec: {
    version: `${tag}.0.0`,
    summary: 'A profile of the tests.',
    parts: [
      {
        name: 'logs',
        summary: 'Stands for a sidecar.',
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
        summary: 'Stands for an agent of the node.',
        injection: 'Required',
        node: { daemon: { template: smallTemplate() } },
      },
    ],
  },
});

describePinion(
  'the runtime profile of a cluster',
  (pinion) => {
    const namespace = 'shop';
    const kubectl = new KubectlView(pinion, () => namespace);
    const system = new KubectlView(pinion, () => 'pinion-system');
    const kind = 'PinterestService';
    const service = (name: string, annotations: Readonly<Record<string, string>> = {}) =>
      pinion().apply(workloadOf(kind, namespace, name, { template: smallTemplate(), annotations }));
    const on = (name: string, used: string) =>
      pinion().until(
        kind,
        namespace,
        name,
        (live) => live.status?.['runtimeProfile'] === used && isTrue(live, 'Ready'),
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
          template: smallTemplate({ [behaviour.exitAfter]: 'never' }),
        }),
      );
      for (const name of ['cart', 'search']) await on(name, 'lean-1');
      await pinion().ready('PinterestJobSet', namespace, 'batch', 90_000);
    }, 180_000);

    test('its node-level parts run as daemons of the project that the Platform names', async () => {
      await pinion().ready('Platform', '', 'cluster', 90_000);
      const live = await pinion().ready('PinterestDaemon', 'pinion-system', 'node-agent', 90_000);
      expect(live.status).toMatchObject({ readyNodes: 3 });
      expect((await system.object('pds', 'node-agent'))?.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind: 'Platform', name: 'cluster' }),
      ]);
    }, 200_000);

    test('the Platform and the profile count the workloads that use it', async () => {
      await profiles({ 'lean-1': 4 });
      await pinion().until('RuntimeProfile', '', 'lean-1', ({ status }) => status?.['workloads'] === 4);
      const [row] = await kubectl.table('rtp', 'lean-1');
      expect(row).toMatchObject({ READY: 'True', VERSION: '1.0.0', WORKLOADS: '4' });
    }, 90_000);

    test('with OnNextDeploy a new one is for what is deployed from then on', async () => {
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
      await on('new', 'lean-2');
      expect(await sidecars('new')).toEqual(['registry.example.com/logs:2']);
      // A number of pods is no deploy.
      await kubectl.run('scale', 'psvc/search', '--replicas=2');
      await pinion().until(kind, namespace, 'search', ({ status }) => status?.['readyReplicas'] === 2, 90_000);
      await service('cart', { 'example.com/build': '2' });
      await on('cart', 'lean-2');
      expect(await kubectl.uids('cart')).not.toEqual(cart);
      expect(await kubectl.uids('search')).toEqual(expect.arrayContaining([...search]));
      expect(await sidecars('search')).toEqual(Array(2).fill('registry.example.com/logs:1'));
    }, 240_000);

    test('once the deadline is over what was not deployed moves too, and work that runs ends on its own', async () => {
      const job = await kubectl.uids('batch');
      await pinion().apply(platform({ profile: 'lean-2', rollout: 'OnNextDeploy', rolloutDeadline: '1s' }));
      await on('search', 'lean-2');
      expect(await sidecars('search')).toEqual(Array(2).fill('registry.example.com/logs:2'));
      await profiles({ 'lean-1': 1, 'lean-2': 4 });
      expect(await kubectl.uids('batch')).toEqual(job);
      expect((await pinion().read('PinterestJobSet', namespace, 'batch'))?.status).toMatchObject({
        runtimeProfile: 'lean-1',
      });
    }, 180_000);

    test('a profile of which only the name is new restarts nothing', async () => {
      const pods = await Promise.all(['cart', 'search', 'new', 'batch'].map((name) => kubectl.uids(name)));
      await pinion().apply(profile('lean-3', '2'));
      await pinion().apply(platform({ profile: 'lean-3', rollout: 'Immediate' }));
      await pinion().until(
        'Platform',
        '',
        'cluster',
        ({ status }) => (status?.['runtime'] as { profile: string }).profile === 'lean-3',
      );
      await service('witness');
      await on('witness', 'lean-3');
      for (const name of ['cart', 'search', 'new']) await pinion().ready(kind, namespace, name);
      expect(await Promise.all(['cart', 'search', 'new', 'batch'].map((name) => kubectl.uids(name)))).toEqual(pods);
    }, 120_000);

    test('where the canary is asked, nothing moves by itself until it was well with the new one', async () => {
      const pods = await kubectl.uids('cart');
      const client = connect(loadKubeConfig({ file: pinion().cluster.kubeconfig, environment: {} }), {
        ...{ clock: realClock, userAgent: 'pinion-test' },
      });
      const home = 'pinion-canary';
      await pinion().project(home);
      const told = (used: string, state: 'passed' | 'failed') => {
        const now = new Date().toISOString();
        const cases = [{ kind: 'PinterestService', deploymentPath: 'controller', state, steps: [] }] as const;
        return recordRun(client, home, { id: used, began: now, ended: now, profile: used, swept: 0, cases });
      };
      const held = (text: RegExp) =>
        pinion().until(
          'Platform',
          '',
          'cluster',
          ({ status }) =>
            text.test(String((status?.['runtime'] as { rolloutBlockedReason?: string }).rolloutBlockedReason)),
          60_000,
        );
      await told('lean-3', 'passed');
      await pinion().apply(profile('lean-4', '4'));
      await pinion().apply(platform({ profile: 'lean-4', rollout: 'Immediate', canary: {} }));
      await held(/last run used the runtime profile lean-3/);
      await told('lean-4', 'failed');
      await held(/not well: PinterestService through controller/);
      expect(await kubectl.uids('cart')).toEqual(pods);
      await told('lean-4', 'passed');
      await held(/undefined/);
      await on('cart', 'lean-4');
      client.close();
    }, 180_000);

    test('with immediate a new one is for all services at once', async () => {
      const job = await kubectl.uids('batch');
      await pinion().apply(platform({ profile: 'lean-4', rollout: 'Immediate' }));
      for (const name of ['cart', 'search', 'new', 'witness']) {
        await on(name, 'lean-4');
        expect(new Set(await sidecars(name))).toEqual(new Set(['registry.example.com/logs:4']));
      }
      expect(await kubectl.uids('batch')).toEqual(job);
      await profiles({ 'lean-1': 1, 'lean-4': 5 });
    }, 240_000);

    test('a profile in use cannot be deleted, and neither can the one in force; one that nobody uses can', async () => {
      await pinion().until('RuntimeProfile', '', 'lean-2', ({ status }) => status?.['workloads'] === 0);
      for (const [name, why] of [
        ['lean-1', /RuntimeProfile lean-1 still has 1 workload/],
        ['lean-4', /lean-4 still has 5 workloads|the Platform uses this RuntimeProfile/],
      ] as const) {
        const { code, stderr } = await kubectl.attempt('delete', 'rtp', name, '--wait=false');
        expect(code).not.toBe(0);
        expect(stderr).toMatch(why);
      }
      await kubectl.run('delete', 'rtp', 'lean-2');
    }, 90_000);
  },
  { documents: [platform({ profile: 'lean-1' }), profile('lean-1', '1')] },
);
