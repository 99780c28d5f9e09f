import { type ManifestInput } from '../../../lib/api';
import { podBehavior } from '../../control-plane/pod-behavior';
import { KubectlView } from '../kubectl-view';
import { type PinionCluster, isTrue, smallTemplate, workloadOf } from '../pinion-suite';

type Spec = ManifestInput<'PinterestStatefulSet'>['spec'];

/** Defines the tests of the lifecycle of a stateful set on a cluster that other tests use, too. */
export const statefulSetLifecycle = (pinion: () => PinionCluster): void =>
  describe('the lifecycle of a stateful set', () => {
    const namespace = 'stores';
    const kind = 'PinterestStatefulSet';
    const kubectl = new KubectlView(pinion, () => namespace);
    const spec = (fields: Partial<Spec> = {}, size = '1Gi', tag = '1.0.0'): Spec => {
      const template = smallTemplate({ [podBehavior.deleteAfter]: '200ms' });
      const containers = [{ name: 'app', image: `registry.example.com/db:${tag}` }];
      return {
        replicas: 3,
        volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size }],
        ports: [{ name: 'peers', port: 7000, protocol: 'TCP' }],
        template: { ...template, spec: { ...template.spec, containers } },
        ...fields,
      };
    };
    const apply = (fields: Spec, name = 'db') => pinion().apply(workloadOf(kind, namespace, name, fields));
    const ready = (name = 'db') => pinion().ready(kind, namespace, name, 120_000);
    const claims = async () => (await kubectl.names('pvc')).map((name) => name.replace('persistentvolumeclaim/', ''));
    const sizeOf = async (claim: string) => {
      const { resources } = (await kubectl.object('pvc', claim))?.spec as {
        resources: { requests: { storage: string } };
      };
      return resources.requests.storage;
    };

    beforeAll(async () => {
      await pinion().project(namespace);
    }, 60_000);

    test('becomes Ready member by member, each with its own claim', async () => {
      await apply(spec());
      const live = await ready();
      expect(live.status).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, phase: 'Ready' });
      expect(await claims()).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
      expect((await kubectl.object('statefulset', 'db'))?.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind, name: 'db' }),
      ]);
    }, 150_000);

    test('kubectl output shows its status', async () => {
      const [row] = await kubectl.table('psts', 'db', '-o', 'wide');
      expect(row).toMatchObject({ READY: 'True', REPLICAS: '3', READYPODS: '3', UPDATED: '3', REASON: 'Available' });
      expect(await kubectl.run('explain', 'psts.spec.volumeClaimTemplates')).toContain(
        'Volume claims to create for every member',
      );
      expect(await kubectl.run('wait', '--for=condition=Ready', 'psts/db', '--timeout=30s')).toContain('condition met');
      const described = await kubectl.run('describe', 'psts', 'db');
      expect(described.match(/Normal +Ready /g)).toHaveLength(1);
    });

    test('kubectl scale changes its number of members, and claims of removed members are retained', async () => {
      await kubectl.run('scale', 'psts/db', '--replicas=2');
      await ready();
      expect(await kubectl.pods('db')).toHaveLength(2);
      expect(await claims()).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
      await kubectl.run('scale', 'psts/db', '--replicas=3');
      expect((await ready()).status).toMatchObject({ readyReplicas: 3 });
    }, 150_000);

    test('a new image replaces its members', async () => {
      const before = await kubectl.uids('db');
      await apply(spec({}, '1Gi', '1.1.0'));
      await ready();
      const pods = await kubectl.pods('db');
      expect(pods).toHaveLength(3);
      expect(pods.some(({ metadata }) => before.includes(metadata.uid))).toBe(false);
    }, 150_000);

    test('its claims grow in place, and no member is restarted', async () => {
      const [pods, set] = [await kubectl.uids('db'), await kubectl.object('statefulset', 'db')];
      await apply(spec({}, '2Gi', '1.1.0'));
      await ready();
      expect(await Promise.all((await claims()).map(sizeOf))).toEqual(['2Gi', '2Gi', '2Gi']);
      const recreated = await kubectl.until('statefulset', 'db', ({ metadata }) => metadata.uid !== set?.metadata.uid);
      expect(JSON.stringify(recreated.spec['volumeClaimTemplates'])).toContain('2Gi');
      await ready();
      expect(await kubectl.uids('db')).toEqual(pods);
    }, 150_000);

    test('smaller claims are blocked until allowLoss allows them', async () => {
      const pods = await kubectl.uids('db');
      await apply(spec({}, '1Gi', '1.1.0'));
      const live = await pinion().until(
        kind,
        namespace,
        'db',
        ({ status }) => status?.cause?.reason === 'DestructiveChangeBlocked',
      );
      expect(isTrue(live, 'Stalled')).toBe(true);
      expect(live.status?.cause).toMatchObject({ owner: 'application', object: 'StatefulSet/db' });
      expect(live.status?.cause?.message).toContain('allowLoss');
      expect(await kubectl.uids('db')).toEqual(pods);
      expect(await sizeOf('data-db-0')).toBe('2Gi');
      await apply(spec({ allowLoss: ['Claims'] }, '1Gi', '1.1.0'));
      await ready();
      expect(await sizeOf('data-db-0')).toBe('1Gi');
    }, 240_000);

    test('deleting it retains its claims unless its retention policy deletes them', async () => {
      await apply(spec());
      await ready();
      await kubectl.run('delete', 'psts', 'db');
      await kubectl.gone('statefulset,pods,service,pdb,controllerrevision');
      expect(await claims()).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
      await apply(
        spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' } }),
        'cache',
      );
      await ready('cache');
      await kubectl.run('scale', 'psts/cache', '--replicas=1');
      await kubectl.gone(
        'pvc',
        ['data-db-0', 'data-db-1', 'data-db-2', 'data-cache-0'].map((name) => `persistentvolumeclaim/${name}`),
      );
      await ready('cache');
      await kubectl.run('delete', 'psts', 'cache');
      await kubectl.gone(
        'pvc',
        ['data-db-0', 'data-db-1', 'data-db-2'].map((name) => `persistentvolumeclaim/${name}`),
      );
    }, 240_000);
  });
