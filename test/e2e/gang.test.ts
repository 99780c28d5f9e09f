import { type ManifestInput, type Status } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { waitFor } from '../control-plane/wait-for';
import { controllerUser, describePinion, isTrue, type LiveCustomResource, workloadOf } from './pinion-suite';
import { indexOf, longRunningTemplate, type ControlledPod, ControlledPods } from './controlled-pods';

type Spec = ManifestInput<'PinterestTrainingJob'>['spec'];
type Gang = NonNullable<Status<'PinterestTrainingJob'>['gang']>;

const gangOf = ({ status }: LiveCustomResource): Gang | undefined => status?.['gang'] as Gang | undefined;
const readyReason = ({ status }: LiveCustomResource) =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.reason;

/** Requests more than half of a small node, so that each member needs its own node. */
const member = (cpu = '2500m') => {
  const template = longRunningTemplate();
  const [app] = template.spec.containers;
  return {
    ...template,
    spec: { ...template.spec, containers: [{ ...app, resources: { requests: { cpu } } }] },
  } as Spec['template'];
};

const small = { capacity: { cpu: '4', memory: '64Gi' } };

// Timeouts are generous because test machines are busy.
jest.setTimeout(240_000);

describePinion(
  'gang of a training job',
  (pinion) => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await pinion().project('gangs');
    }, 120_000);
    // Each test has the nodes to itself.
    afterEach(async () => {
      const { cluster } = pinion();
      await cluster.kubectl(['delete', 'ptj', '--all', '-n', namespace]);
      await cluster.kubectl(['uncordon', '-l', 'type=kwok']).catch(() => undefined);
      await waitFor('all members to be gone', async () => (await allPods()).length === 0, { timeout: 120_000 });
    }, 180_000);

    const untilJob = (name: string, holds: (document: LiveCustomResource) => boolean) =>
      pinion().until('PinterestTrainingJob', namespace, name, holds, 120_000);
    const inPhase = (name: string, phase: Gang['phase']) =>
      untilJob(name, (document) => gangOf(document)?.phase === phase);

    async function allPods(): Promise<readonly ControlledPod[]> {
      const { body } = expectStatus(
        await pinion().cluster.client.request('GET', `/api/v1/namespaces/${namespace}/pods`),
        [200],
      );
      return (body as { items: readonly ControlledPod[] }).items;
    }

    async function startJob(name: string, replicas: number, more: Partial<Spec> = {}): Promise<ControlledPods> {
      await pinion().apply(
        workloadOf('PinterestTrainingJob', namespace, name, {
          ...{
            framework: 'pytorch',
            successPolicy: 'AllWorkers',
            roles: { worker: { replicas } },
            gang: {},
            template: member(),
          },
          ...more,
        }),
      );
      return new ControlledPods(pinion().cluster, namespace, name);
    }

    const finish = async (pods: ControlledPods, name: string, count: number) => {
      for (let index = 0; index < count; index++) await pods.end(index);
      await untilJob(name, (document) => isTrue(document, 'Complete'));
    };

    /** Returns the pods that were created since a mark, by the audit log. */
    const podCreations = (mark: ReturnType<ReturnType<typeof pinion>['cluster']['audit']['mark']>) =>
      pinion().cluster.audit.since(mark, { verb: 'create', resource: 'pods', namespace });

    test('starts no member before all fit, reports why, and then starts all', async () => {
      const { audit, nodes } = pinion().cluster;
      const mark = audit.mark();
      const pods = await startJob('large', 4);
      await inPhase('large', 'Waiting');
      const waiting = await untilJob('large', ({ status }) => status?.cause !== undefined);
      expect(readyReason(waiting)).toBe('GangPending');
      expect(waiting.status).toMatchObject({ phase: 'Waiting', cause: { owner: 'capacity' } });
      expect(waiting.status?.cause?.message).toMatch(/capacity for 4 members at once; 3 fit now/);
      const { stdout } = await pinion().cluster.kubectl(['get', 'ptj', 'large', '-n', namespace]);
      expect(stdout.split('\n')[1]?.split(/\s+/).slice(0, 5)).toEqual(['large', 'False', 'Waiting', 'pytorch', '0/4']);
      expect(podCreations(mark)).toEqual([]);
      const [extra = ''] = await nodes.add(1, small);
      await inPhase('large', 'Started');
      const running = await pods.running(4);
      expect(new Set(running.map(({ spec }) => spec.nodeName)).size).toBe(4);
      await finish(pods, 'large', 4);
      await nodes.remove(extra);
    });

    test('starts with the minimum of members and adds the rest once capacity is available', async () => {
      const { nodes } = pinion().cluster;
      const pods = await startJob('least', 4, { gang: { minAvailable: 3 } });
      await inPhase('least', 'Started');
      await waitFor(
        'three members to run',
        async () => (await pods.alive()).filter(({ status }) => status.phase === 'Running').length === 3,
        { timeout: 120_000 },
      );
      const [extra = ''] = await nodes.add(1, small);
      await finish(pods, 'least', 4);
      await nodes.remove(extra);
    });

    test('reserves capacity for the older of two gangs that fit only one at a time, and runs both in turn', async () => {
      const names = ['one', 'two'];
      const pods = await Promise.all(names.map((name) => startJob(name, 2)));
      const first = await waitFor(
        'one of them to start',
        async () => {
          const started = await Promise.all(
            names.map(async (name) => {
              const document = await pinion().read('PinterestTrainingJob', namespace, name);
              return document && gangOf(document)?.phase === 'Started';
            }),
          );
          return started.includes(true) ? { at: started.indexOf(true) } : undefined;
        },
        { timeout: 120_000 },
      );
      const second = 1 - first.at;
      await pods[first.at]?.running(2);
      await inPhase(names[second] ?? '', 'Waiting');
      expect(await pods[second]?.all()).toEqual([]);
      for (const at of [first.at, second]) await finish(pods[at] as ControlledPods, names[at] ?? '', 2);
    });

    test('withdraws all members when some find no node in time, and starts again later', async () => {
      const { cluster } = pinion();
      const { stdout } = await cluster.kubectl(['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}']);
      // The scheduler is paused between the reservation and the placement of members while capacity shrinks.
      cluster.part('kube-scheduler').pause();
      const pods = await startJob('tight', 3, { gang: { timeout: '10s' } });
      try {
        await inPhase('tight', 'Starting');
        await waitFor('members to be created', async () => (await pods.alive()).length === 3, { timeout: 120_000 });
        await cluster.kubectl(['cordon', stdout.split(' ')[0] ?? '']);
      } finally {
        cluster.part('kube-scheduler').resume();
      }
      const withdrawn = await untilJob('tight', (document) => gangOf(document)?.attempts === 1);
      expect(gangOf(withdrawn)?.phase).toBe('Waiting');
      await waitFor('its members to be gone', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
      const reported = await untilJob('tight', ({ status }) => status?.cause?.message.includes('withdrawn') ?? false);
      expect(reported.status).toMatchObject({ phase: 'Waiting', cause: { owner: 'capacity' } });
      await cluster.kubectl(['uncordon', stdout.split(' ')[0] ?? '']);
      await inPhase('tight', 'Started');
      await finish(pods, 'tight', 3);
    }, 240_000);

    test('survives controller crashes while it waits, starts and runs', async () => {
      const { cluster } = pinion();
      const mark = cluster.audit.mark();
      const pods = await startJob('lives', 4, { gang: { timeout: '5m' } });
      const other = await startJob('other', 4, { gang: { timeout: '5m' } });
      for (const name of ['lives', 'other']) await inPhase(name, 'Waiting');
      await pinion().replaceController();
      for (const name of ['lives', 'other']) await inPhase(name, 'Waiting');
      expect(podCreations(mark)).toEqual([]);
      cluster.part('kube-scheduler').pause();
      const [extra = ''] = await cluster.nodes.add(1, small);
      const name = await waitFor(
        'one to start',
        async () => {
          for (const one of ['lives', 'other']) {
            const document = await pinion().read('PinterestTrainingJob', namespace, one);
            if (document && gangOf(document)?.phase === 'Starting') return one;
          }
          return undefined;
        },
        { timeout: 120_000 },
      );
      await pinion().replaceController();
      const [first, second] = name === 'lives' ? [pods, other] : [other, pods];
      await waitFor('its members to be created', async () => (await first.alive()).length === 4, { timeout: 120_000 });
      expect(await second.all()).toEqual([]);
      cluster.part('kube-scheduler').resume();
      await inPhase(name, 'Started');
      const running = (await first.running(4)).map(({ metadata }) => metadata.uid).sort();
      await pinion().replaceController();
      const otherJob = await startJob('other-job', 1, { gang: {}, template: longRunningTemplate() });
      await finish(otherJob, 'other-job', 1);
      expect((await first.running(4)).map(({ metadata }) => metadata.uid).sort()).toEqual(running);
      expect((await first.alive()).map(indexOf).sort()).toEqual([0, 1, 2, 3]);
      expect(await second.all()).toEqual([]);
      await finish(first, name, 4);
      const rest = name === 'lives' ? 'other' : 'lives';
      await inPhase(rest, 'Started');
      await finish(second, rest, 4);
      await cluster.nodes.remove(extra);
      expect(cluster.audit.since(mark, { user: controllerUser, verb: 'delete', resource: 'jobs' })).toEqual([]);
    }, 360_000);
  },
  { nodes: 3, nodeShape: small },
);
