import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, userOf } from './submission-engine';

type Kind = 'PinterestService' | 'PinterestStatefulSet';
type Annotations = Readonly<Record<string, string>>;

const namespace = 'shop';
const migrate = { name: 'migrate', command: ['/migrate'] };
/** Pods restart always, so that only those of hooks end with this exit code. */
const failing: Annotations = { [podBehavior.exitCode]: '7' };
const endless: Annotations = { [podBehavior.exitAfter]: 'never' };

/** Returns a workload with a hook; `annotations` control the simulated pods of its hooks. */
const hooked = (kind: Kind, tag: string, annotations: Annotations = {}, spec: object = {}): ManifestInput<Kind> => {
  const { spec: pod } = smallTemplate();
  const containers = [{ name: 'app', image: `registry.example.com/app:${tag}` }];
  const name = kind === 'PinterestService' ? 'cart' : 'ledger';
  return workloadOf(kind, namespace, name, {
    replicas: 2,
    loadBalancer: { port: 8080 },
    beforeDeployment: [migrate],
    template: {
      ...(Object.keys(annotations).length > 0 && { metadata: { annotations } }),
      spec: { ...pod, containers },
    },
    ...spec,
  });
};

describePinion(
  'hooks before a deployment',
  (pinion) => {
    const kubectl = new KubectlView(pinion, () => namespace);
    beforeAll(async () => {
      await pinion().project(namespace, { members: [{ kind: 'Group', name: 'shop-developers', role: 'edit' }] });
    }, 60_000);

    describe.each([
      ['PinterestService', 'cart', 'deployment'],
      ['PinterestStatefulSet', 'ledger', 'statefulset'],
    ] as const)('of a %s', (kind, name, owner) => {
      const apply = (tag: string, annotations?: Annotations, spec?: object) =>
        pinion().apply(hooked(kind, tag, annotations, spec));
      const ready = () => pinion().ready(kind, namespace, name, 120_000);
      const failed = () =>
        pinion().until(kind, namespace, name, (live) => live.status?.cause?.reason === 'HookFailed', 120_000);
      const running = () =>
        pinion().until(kind, namespace, name, ({ status }) => record(status)['jobUid'] !== undefined, 60_000);
      const record = (status: Readonly<Record<string, unknown>> | undefined) =>
        (status?.['beforeDeployment'] ?? {}) as Readonly<Record<string, unknown>>;
      const image = async () => {
        const spec = (await kubectl.object(owner, name))?.spec as
          { template: { spec: { containers: { image: string }[] } } } | undefined;
        return spec?.template.spec.containers[0]?.image.split(':')[1];
      };
      const serving = async () =>
        (await kubectl.pods(name))
          .filter(({ metadata }) => metadata.labels?.['pinterest.com/hook'] === undefined)
          .map(({ metadata }) => metadata.uid)
          .sort();
      const starts = new Set<string>();
      /** UIDs of all Jobs that ever ran, as far as they were seen. */
      const jobs = async () => {
        const { items } = JSON.parse(await kubectl.run('get', 'jobs', '-o', 'json')) as {
          items: { metadata: { name: string; uid: string } }[];
        };
        for (const { metadata } of items) if (metadata.name.startsWith(`${name}-`)) starts.add(metadata.uid);
        return starts.size;
      };

      test('a hook runs before the first pods, which get traffic only after it', async () => {
        await apply('1', endless);
        await running();
        expect([await image(), await serving()]).toEqual([undefined, []]);
        const [pod] = await waitFor('the pod of the hook', async () => {
          const pods = await kubectl.pods(name);
          return pods.length > 0 && pods;
        });
        await kubectl.run('annotate', 'pod', pod?.metadata.name ?? '', '--overwrite', `${podBehavior.exitAfter}=0s`);
        const live = await ready();
        expect(record(live.status)).toMatchObject({ phase: 'Succeeded' });
        const slices = await kubectl.run(
          'get',
          'endpointslices',
          '-o',
          'json',
          '-l',
          `kubernetes.io/service-name=${name}`,
        );
        expect(slices).not.toContain(pod?.metadata.name);
        expect(await jobs()).toBe(1);
      });

      test('a hook that fails leaves the old pods, and the status says why', async () => {
        const before = await serving();
        await apply('2', failing);
        const { status } = await failed();
        expect(status?.cause).toMatchObject({
          owner: 'application',
          object: expect.stringMatching(`^Job/${name}-migrate-`),
        });
        expect(status?.cause?.message).toMatch(/Hook migrate failed .*backoff limit.*code 7.*kubectl logs/);
        expect([await serving(), await image()]).toEqual([before, '1']);
        expect(status).toMatchObject({ readyReplicas: 2 });
        await kubectl.run('scale', kind.toLowerCase(), name, '--replicas=3');
        await waitFor('the scale', async () => (await serving()).length === 3, { timeout: 60_000 });
        expect([await serving(), await image()]).toEqual([expect.arrayContaining(before), '1']);
        const described = await kubectl.run('describe', kind.toLowerCase(), name);
        expect(described).toMatch(/Warning +HookFailed/);
        expect(await jobs()).toBe(2);
      });

      test('a restart of the controller does not repeat it, and a requested retry does', async () => {
        await pinion().replaceController();
        await failed();
        expect(await jobs()).toBe(2);
        await kubectl.run('annotate', kind.toLowerCase(), name, 'pinterest.com/retried-at=2026-11-26T10:00:00Z');
        await waitFor('the retry', async () => (await jobs()) === 3, { timeout: 60_000 });
        await failed();
      });

      test('the spec before returns without a hook, and without a restart', async () => {
        const before = await serving();
        await apply('1', endless);
        await ready();
        const after = await waitFor('two pods', async () => {
          const pods = await serving();
          return pods.length === 2 && pods;
        });
        expect([before, await jobs()]).toEqual([expect.arrayContaining(after), 3]);
      });

      test('a scale, a restart and a setting of the Platform run no hook', async () => {
        const before = await serving();
        await kubectl.run('scale', kind.toLowerCase(), name, '--replicas=3');
        expect((await ready()).status).toMatchObject({ readyReplicas: 3 });
        await kubectl.run('annotate', kind.toLowerCase(), name, 'pinterest.com/restarted-at=2026-11-26T11:00:00Z');
        await waitFor('new pods', async () => (await serving()).every((uid) => !before.includes(uid)), {
          timeout: 120_000,
        });
        await pinion().apply({ ...defaultPlatform, spec: { ...defaultPlatform.spec, region: `eu-${name}` } });
        await ready();
        expect(await jobs()).toBe(3);
      });

      test('a controller that is killed while a hook runs and after it deploys once', async () => {
        const before = await jobs();
        await apply('3', endless);
        await running();
        await pinion().replaceController();
        await running();
        expect([await jobs(), await image()]).toEqual([before + 1, '1']);
        const pods = (await kubectl.pods(name)).filter(({ metadata }) => metadata.labels?.['pinterest.com/hook']);
        const current = pods.find(({ status }) => status?.['phase'] === 'Running');
        await pinion().controller.kill();
        await kubectl.run(
          'annotate',
          'pod',
          current?.metadata.name ?? '',
          '--overwrite',
          `${podBehavior.exitAfter}=0s`,
        );
        await kubectl.run(
          'wait',
          '--for=condition=Complete',
          'job',
          '-l',
          'pinterest.com/hook=migrate',
          '--timeout=60s',
          '--field-selector',
          `metadata.name=${current?.metadata.ownerReferences?.[0]?.name ?? ''}`,
        );
        await pinion().replaceController();
        await ready();
        expect([await jobs(), await image()]).toEqual([before + 1, '3']);
      }, 180_000);

      test('a replaced spec ends its hook before the next one begins', async () => {
        await apply('4', endless);
        const { status } = await running();
        await apply('5');
        await ready();
        expect(await image()).toBe('5');
        expect(await kubectl.object('job', String(record(status)['job']))).toBeUndefined();
      });
    });

    describe('of a deployment by the submission service', () => {
      const developer = userOf('mia@example.com', 'shop-developers');
      const stages = [{ name: 'prod', stop: { timeout: '60s', onFailure: 'Rollback' as const } }];
      let submission: EngineInProcess;
      const service = (tag: string, annotations: Annotations = {}) => {
        const { metadata, ...rest } = hooked('PinterestService', tag, annotations);
        return { ...rest, metadata: { ...metadata, name: 'till' } } as ManifestInput<'PinterestService'>;
      };
      const deploy = async (tag: string, annotations?: Annotations) => {
        const artifact = await submission.publishing.publish(
          namespace,
          `${tag}.0.0`,
          [service(tag, annotations)],
          stages,
        );
        return submission.deploy(developer, artifact, 'prod');
      };
      const jobs = () => kubectl.names('jobs', '-l', 'pinterest.com/workload=till');
      beforeAll(async () => {
        const metadata = { name: home };
        await pinion().cluster.client.request('POST', '/api/v1/namespaces', {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata,
        });
        submission = new EngineInProcess(pinion());
        await submission.start();
      }, 60_000);
      afterAll(async () => {
        await submission.stop();
        expect(submission.errors).toEqual([]);
      });

      test('a failed hook fails it, and the version before returns without its hook', async () => {
        expect((await deploy('1')).deployment).toMatchObject({ phase: 'ready' });
        const pods = async () =>
          (await kubectl.pods('till')).filter(({ metadata }) => metadata.labels?.['pinterest.com/hook'] === undefined);
        const before = (await pods()).map(({ metadata }) => metadata.uid).sort();
        const { deployment } = await deploy('2', failing);
        expect(deployment).toMatchObject({
          phase: 'rolledBack',
          cause: { owner: 'application', reason: 'HookFailed' },
          previous: { version: '1.0.0' },
        });
        const live = await pinion().until('PinterestService', namespace, 'till', (one) => isTrue(one, 'Ready'));
        expect(live.status).toMatchObject({ beforeDeployment: { phase: 'Succeeded' } });
        expect((await pods()).map(({ metadata }) => metadata.uid).sort()).toEqual(before);
        const [failedJob, ...others] = await jobs();
        expect(others).toEqual([]);
        expect(await kubectl.run('get', failedJob ?? '', '-o', 'json')).toContain('"type": "Failed"');
      });
    });
  },
  { documents: [defaultPlatform, defaultProfile] },
);
