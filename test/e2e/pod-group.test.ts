import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { waitFor } from '../control-plane/wait-for';
import { describePinion, isTrue, workloadOf } from './pinion-suite';
import { longRunningTemplate, ControlledPods } from './controlled-pods';

type Spec = ManifestInput<'PinterestTrainingJob'>['spec'];

const gates = '--feature-gates=GenericWorkload=true,GangScheduling=true';
const platform = { ...defaultPlatform, spec: { ...defaultPlatform.spec, gangScheduling: true } };
const small = { capacity: { cpu: '4', memory: '64Gi' } };

/** Returns a template whose pod requests more than half of a small node. */
function template(): Spec['template'] {
  const { spec, ...rest } = longRunningTemplate();
  const containers = spec.containers.map((app) => ({ ...app, resources: { requests: { cpu: '2500m' } } }));
  return { ...rest, spec: { ...spec, containers } } as Spec['template'];
}

// Waits are generous because test machines are busy.
jest.setTimeout(240_000);

describePinion(
  'gang scheduling by a scheduler with PodGroup support',
  (pinion) => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await pinion().project('gangs');
    }, 120_000);

    const groupPath = (name = '') =>
      `/apis/scheduling.k8s.io/v1alpha2/namespaces/${namespace}/podgroups${name && `/${name}`}`;
    const groupOf = async (name: string) => {
      const { status, body } = await pinion().cluster.client.request('GET', groupPath(name));
      return status === 200
        ? (body as {
            metadata: {
              uid: string;
              ownerReferences?: readonly { kind: string }[];
              annotations: Record<string, string>;
            };
            spec: { schedulingPolicy: { gang?: { minCount: number } } };
          })
        : undefined;
    };

    async function start(name: string): Promise<ControlledPods> {
      await pinion().apply(
        workloadOf('PinterestTrainingJob', namespace, name, {
          ...{ framework: 'pytorch', successPolicy: 'AllWorkers', roles: { worker: { replicas: 3 } } },
          ...{ gang: {}, template: template() },
        }),
      );
      return new ControlledPods(pinion().cluster, namespace, name);
    }

    test('uses a PodGroup, so that no member runs before all can', async () => {
      const { cluster } = pinion();
      const pods = await start('team');
      const group = await waitFor('the PodGroup', () => groupOf('team'), { timeout: 120_000 });
      expect(group.spec.schedulingPolicy.gang).toEqual({ minCount: 3 });
      expect(group.metadata.ownerReferences).toMatchObject([{ kind: 'PinterestTrainingJob' }]);
      await waitFor('its members', async () => (await pods.alive()).length === 3, { timeout: 120_000 });
      const pending = await pinion().until(
        'PinterestTrainingJob',
        namespace,
        'team',
        ({ status }) => status?.cause?.owner === 'capacity',
        60_000,
      );
      expect(pending.status?.['gang']).toBeUndefined();
      for (const { spec } of await pods.alive()) {
        expect(spec['schedulingGroup']).toEqual({ podGroupName: 'team' });
        expect(spec.nodeName).toBeUndefined();
      }
      await cluster.nodes.add(1, small);
      await pods.running(3);
      const ready = await pinion().ready('PinterestTrainingJob', namespace, 'team', 120_000);
      expect(ready.status?.['children']).toMatchObject({ 'PodGroup/team': 'Ready' });
    }, 240_000);

    test('repairs the PodGroup, and keeps it after the controller dies', async () => {
      const { cluster } = pinion();
      const contentType = 'application/merge-patch+json';
      const stripped = { metadata: { annotations: { 'pinterest.com/last-applied-hash': null } } };
      expectStatus(await cluster.client.request('PATCH', groupPath('team'), stripped, { contentType }), [200]);
      await waitFor(
        'the PodGroup to be repaired',
        async () => (await groupOf('team'))?.metadata.annotations?.['pinterest.com/last-applied-hash'] !== undefined,
        { timeout: 120_000 },
      );
      const before = await groupOf('team');
      await pinion().replaceController();
      await cluster.kubectl(['annotate', 'ptj', 'team', '-n', namespace, 'looked=at']);
      await pinion().ready('PinterestTrainingJob', namespace, 'team', 120_000);
      expect((await groupOf('team'))?.metadata.uid).toBe(before?.metadata.uid);
    }, 120_000);

    test('deletes the PodGroup with the workload', async () => {
      const pods = new ControlledPods(pinion().cluster, namespace, 'team');
      for (const index of [0, 1, 2]) await pods.end(index);
      await pinion().until(
        'PinterestTrainingJob',
        namespace,
        'team',
        (document) => isTrue(document, 'Complete'),
        120_000,
      );
      await pinion().cluster.kubectl(['delete', 'ptj', 'team', '-n', namespace]);
      await pods.gone();
      await waitFor('the PodGroup to be gone', async () => (await groupOf('team')) === undefined, { timeout: 120_000 });
    }, 120_000);
  },
  {
    ...{ nodes: 2, nodeShape: small, documents: [platform, defaultProfile] },
    apiServerFlags: [gates, '--runtime-config=scheduling.k8s.io/v1alpha2=true'],
    controllerManagerFlags: [gates],
    schedulerFlags: [gates],
  },
);
