import { type ManifestInput } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { describePinion, isTrue, type LiveCustomResource, smallTemplate, workloadOf } from './pinion-suite';

type Spec = ManifestInput<'PinterestService'>['spec'];

describePinion('causes of a workload that is not ready', (pinion) => {
  const namespace = 'shop';
  const kind = 'PinterestService';
  const kubectl = new KubectlView(pinion, () => namespace);
  const apply = (name: string, spec: Partial<Spec> = {}) =>
    pinion().apply(workloadOf(kind, namespace, name, { template: smallTemplate(), ...spec }));
  /** Waits until a workload and its Ready condition report a cause. */
  const untilCause = async (name: string, reason: string): Promise<LiveCustomResource> => {
    const live = await pinion().until(kind, namespace, name, ({ status }) => status?.cause?.reason === reason, 120_000);
    const condition = live.status?.conditions?.find(({ type }) => type === 'Ready');
    expect(condition).toMatchObject({ status: 'False', reason, message: live.status?.cause?.message });
    return live;
  };
  const ready = (name: string) => pinion().ready(kind, namespace, name, 120_000);

  beforeAll(async () => {
    await pinion().project(namespace, { quota: { pods: '12' } });
  }, 60_000);

  test('reports an exceeded quota with its numbers, and the workload continues once the quota allows it', async () => {
    await apply('over-quota', { replicas: 14 });
    const { status } = await untilCause('over-quota', 'QuotaExceeded');
    expect(status?.cause).toMatchObject({ owner: 'quota' });
    expect(status?.cause?.message).toMatch(
      /quota "project" of project shop: pods: 1 is requested by each of the 2 missing ones, 12 of 12 is used, so 2 more is needed\. Raise spec\.quota of Project shop/,
    );
    await pinion().project(namespace, { quota: { pods: '60' } });
    // Kubernetes may retry much later; a changed number of replicas triggers a retry.
    await apply('over-quota', { replicas: 13 });
    const healed = await ready('over-quota');
    expect(healed.status?.cause).toBeUndefined();
    await kubectl.run('delete', 'psvc', 'over-quota');
  }, 240_000);

  test('reports what is missing for pods that fit no node', async () => {
    const { spec } = smallTemplate();
    const resources = { requests: { cpu: '900', memory: '1Gi' }, limits: { memory: '1Gi' } };
    await pinion().project(namespace, { quota: { pods: '60', 'requests.cpu': '2000' } });
    await apply('huge', {
      template: { spec: { ...spec, containers: [{ name: 'app', image: 'registry.example.com/app:1', resources }] } },
    });
    const { status } = await pinion().until(
      kind,
      namespace,
      'huge',
      (live) => live.status?.cause?.owner === 'capacity',
      120_000,
    );
    expect(status?.cause?.object).toMatch(/^Pod\/huge-/);
    expect(status?.cause?.message).toMatch(/cpu/i);
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }));
    await kubectl.run('delete', 'psvc', 'huge');
  }, 150_000);

  test('reports an image that cannot be pulled and clears the cause once it can', async () => {
    await apply('unpulled', { template: smallTemplate({ [podBehavior.imagePull]: 'app' }) });
    const live = await pinion().until(
      kind,
      namespace,
      'unpulled',
      ({ status }) => /^Image/.test(status?.cause?.reason ?? ''),
      120_000,
    );
    expect(live.status?.cause).toMatchObject({ owner: 'application' });
    expect(live.status?.cause?.message).toContain('Image registry.example.com/app:1.0.0 of container app');
    await apply('unpulled');
    expect((await ready('unpulled')).status?.cause).toBeUndefined();
  }, 240_000);

  test('assigns a crashing app to the application owner, with the command that shows its log', async () => {
    await apply('crashing', {
      template: smallTemplate({ [podBehavior.crashLoop]: 'app', [podBehavior.crashCode]: '3' }),
    });
    const { status } = await untilCause('crashing', 'AppCrashLoop');
    expect(status?.cause).toMatchObject({ owner: 'application', object: expect.stringMatching(/^Pod\/crashing-/) });
    expect(status?.cause?.message).toMatch(
      /^Container app of Pod crashing-\S+ exited with code 3\. Check its output: `kubectl logs crashing-\S+ -n shop -c app --previous`\.$/,
    );
    const [row] = await kubectl.table('psvc', 'crashing', '-o', 'wide');
    expect(row).toMatchObject({ READY: 'False', REASON: 'AppCrashLoop' });
  }, 150_000);

  test('assigns a crashing sidecar of the profile to the platform, with its own message', async () => {
    await apply('bad-sidecar', { template: smallTemplate({ [podBehavior.crashLoop]: 'pinion-logs' }) });
    const { status } = await untilCause('bad-sidecar', 'SidecarCrashLoop');
    expect(status?.cause).toMatchObject({ owner: 'platform' });
    expect(status?.cause?.message).toMatch(
      /^Sidecar pinion-logs \(of the platform\) of Pod bad-sidecar-\S+ exited with code 1\. The container comes with the runtime profile: contact the platform team/,
    );
  }, 150_000);

  test('records one event for a cause across repeated reconciles', async () => {
    await kubectl.run('annotate', 'psvc', 'crashing', 'example.com/look=again');
    await kubectl.run('annotate', 'psvc', 'crashing', 'example.com/look=once-more', '--overwrite');
    const events = await kubectl.run(
      'get',
      'events',
      '--field-selector',
      'involvedObject.name=crashing,reason=AppCrashLoop',
      '-o',
      'json',
    );
    const { items } = JSON.parse(events) as { items: readonly { readonly type: string; readonly count?: number }[] };
    expect(items).toEqual([expect.objectContaining({ type: 'Warning' })]);
  });

  test('skips an object that was stored before a rule, and reconciles the others', async () => {
    const { cluster } = pinion();
    const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/pinterestservices.pinterest.com';
    const policies = 'validatingadmissionpolicybinding';
    // Stored without validation, as by an older version of the definition.
    const { body } = expectStatus(await cluster.client.request('GET', definition), [200]);
    const originalCrd = body as { spec: { versions: { schema: object }[] } };
    const [version] = originalCrd.spec.versions;
    const permissiveSchema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const putSchema = async (schema: object) => {
      const live = expectStatus(await cluster.client.request('GET', definition), [200]).body as typeof originalCrd;
      const versions = [{ ...live.spec.versions[0], schema }];
      expectStatus(
        await cluster.client.request('PUT', definition, { ...live, spec: { ...live.spec, versions } }),
        [200],
      );
    };
    await pinion().ready('Platform', '', 'cluster', 90_000);
    // The controller would restore the policy.
    await pinion().controller.stop();
    await kubectl.run('delete', policies, 'pinterestservices.pinterest.com');
    await putSchema(permissiveSchema);
    const broken = {
      apiVersion: 'pinterest.com/v1',
      kind,
      metadata: { name: 'broken', namespace },
      spec: { tier: 7, template: { spec: { containers: 7 } } },
    } as SendableObject;
    await waitFor(
      'the permissive schema to take effect',
      async () => (await cluster.client.create(broken)).status === 201,
    );
    await pinion().startController();
    const invalid = await pinion().until(
      kind,
      namespace,
      'broken',
      ({ status }) => status?.phase === 'Invalid',
      90_000,
    );
    expect(invalid.status?.cause).toMatchObject({ owner: 'application', reason: 'InvalidSpec' });
    expect(invalid.status?.cause?.message).toContain('spec.tier');
    expect(invalid.status?.cause?.message).toContain('spec.template.spec.containers');
    await putSchema(version?.schema ?? {});
    await apply('valid');
    expect(isTrue(await ready('valid'), 'Ready')).toBe(true);
    expect(await kubectl.names('deployment')).not.toContain('deployment.apps/broken');
  }, 240_000);
});
