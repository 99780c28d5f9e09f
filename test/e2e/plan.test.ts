import { expand, resolvePlatform, type KubernetesObject } from '../../lib/expand';
import { childOf } from '../../lib/controller/observed/child-of';
import { type Child } from '../../lib/controller/observed/child';
import { plan } from '../../lib/controller/plan/plan';
import { type ReconcilePlan, type PlanInput, type PlanStep } from '../../lib/controller/plan/plan-step';
import { objectPath, resourceOf, type LiveObject } from '../../lib/kube';
import { expectStatus } from '../control-plane/api-response';
import { type Client } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { createProject } from './cluster-setup';
import { goldenCases } from './golden-cases';

const applyPatch = 'application/apply-patch+yaml';
const owner = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  name: 'owner',
  uid: '6f1d3c9a-0000-4000-8000-000000000001',
  controller: true,
};

/** Objects of one workload on the server: read for each plan and changed by its steps. */
class PlannedWorkload {
  /** Kind and name of every object that was read. */
  readonly #keys: Set<string>;

  constructor(
    readonly client: Client,
    readonly namespace: string,
    public desired: readonly KubernetesObject[],
    claims: readonly string[] = [],
  ) {
    this.#keys = new Set(claims.map((name) => `PersistentVolumeClaim/${name}`));
  }

  async live(kind: string, name: string): Promise<LiveObject | undefined> {
    const response = await this.client.request('GET', this.path(kind, name));
    return response.status === 404 ? undefined : (expectStatus(response, [200]).body as LiveObject);
  }

  path(kind: string, name: string, subresource?: string): string {
    return objectPath(resourceOf(kind), { name, namespace: this.namespace }, subresource);
  }

  async plan(more: Partial<PlanInput> = {}): Promise<ReconcilePlan> {
    for (const { kind, metadata } of this.desired) this.#keys.add(`${kind}/${metadata.name}`);
    const keys = [...this.#keys].map((key) => key.split('/') as [string, string]);
    const objects = await Promise.all(keys.map(([kind, name]) => this.live(kind, name)));
    const found = objects.filter((object) => object !== undefined);
    const children = new Map<string, Child>(
      found.map((object) => [`${object.kind}/${object.metadata.name}`, childOf(object)]),
    );
    const full = new Map(found.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
    return plan({
      owner,
      namespace: this.namespace,
      desired: this.desired,
      observed: {
        child: (kind, name) => children.get(`${kind}/${name}`),
        owned: [...children.values()].filter(({ controller }) => controller?.uid === owner.uid),
      },
      adopt: false,
      allowLoss: new Set(),
      full: (kind, name) => full.get(`${kind}/${name}`),
      ...more,
    });
  }

  async execute({ steps }: ReconcilePlan): Promise<void> {
    for (const step of steps) await this.#do(step);
  }

  async #do(step: PlanStep): Promise<void> {
    if (step.do === 'apply') {
      const { kind, metadata } = step.object;
      const query = { fieldManager: 'pinion', force: String(step.current !== undefined) };
      if (step.release) {
        const operations = [
          { op: 'test', path: '/metadata/resourceVersion', value: step.current?.resourceVersion },
          { op: 'replace', path: '/metadata/managedFields', value: step.release },
        ];
        const contentType = 'application/json-patch+json';
        expectStatus(
          await this.client.request('PATCH', this.path(kind, metadata.name), operations, { contentType }),
          [200],
        );
      }
      const response = await this.client.request('PATCH', this.path(kind, metadata.name), step.object, {
        ...{ contentType: applyPatch, fieldValidation: 'Strict', query },
      });
      expectStatus(response, [200, 201]);
      return;
    }
    const { kind, name, uid } = step.target;
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: step.propagation,
      preconditions: { uid },
    };
    expectStatus(await this.client.request('DELETE', this.path(kind, name), body), [200, 202]);
    // The garbage collector and PVC protection would remove their finalizers; no controller manager runs here.
    if (await this.live(kind, name)) await this.patch(kind, name, { metadata: { finalizers: null } }, 'collector');
  }

  async patch(kind: string, name: string, patch: unknown, manager: string, subresource?: string): Promise<void> {
    const response = await this.client.request('PATCH', this.path(kind, name, subresource), patch, {
      ...{ contentType: 'application/merge-patch+json', query: { fieldManager: manager } },
    });
    expectStatus(response, [200]);
  }
}

const summaryOf = ({ steps, blockingIssues, waits }: ReconcilePlan) => ({
  steps: steps.map((step) =>
    step.do === 'apply'
      ? `${step.reason} ${step.object.kind}/${step.object.metadata.name}`
      : `${step.reason} ${step.target.kind}/${step.target.name} ${step.propagation}`,
  ),
  blockingIssues: blockingIssues.map(({ reason, kind, name }) => `${reason} ${kind}/${name}`),
  waits,
});

const labels = {
  'app.kubernetes.io/managed-by': 'pinion',
  'pinterest.com/kind': 'PinterestService',
  'pinterest.com/workload': 'web',
};

const noSteps = { steps: [], blockingIssues: [], waits: false };

describeControlPlane('plans for objects that the API server defaulted', (controlPlane) => {
  describe.each(goldenCases.map((stored) => [stored.name, stored] as const))('%s', (name, { workloads, platform }) => {
    const cluster = resolvePlatform(platform);
    const plannedWorkloads: PlannedWorkload[] = [];

    beforeAll(async () => {
      const { client } = controlPlane();
      for (const workload of workloads) {
        const { namespace } = workload.metadata;
        await createProject(client, cluster.project(namespace).project, cluster);
        plannedWorkloads.push(new PlannedWorkload(client, namespace, expand(workload, cluster.project(namespace))));
      }
    });

    test('an applied object needs no further steps', async () => {
      for (const planned of plannedWorkloads) {
        const first = await planned.plan();
        expect([first.steps.length, first.blockingIssues]).toEqual([planned.desired.length, []]);
        await planned.execute(first);
        expect(summaryOf(await planned.plan())).toEqual(noSteps);
        // A new process has no cache of earlier reconciles, and expands the same objects again.
        planned.desired = structuredClone(planned.desired);
        expect(summaryOf(await planned.plan())).toEqual(noSteps);
      }
    });

    test('fields that other managers add are kept', async () => {
      for (const planned of plannedWorkloads) {
        for (const { kind, metadata } of planned.desired) {
          const labels = { 'mesh.example.com/revision': 'one' };
          await planned.patch(
            kind,
            metadata.name,
            { metadata: { labels, annotations: { 'mesh.example.com/note': name } } },
            'mesh',
          );
          if (kind !== 'Deployment' && kind !== 'DaemonSet' && kind !== 'StatefulSet') continue;
          const template = { metadata: { annotations: { 'mesh.example.com/inject': 'true' } } };
          await planned.patch(kind, metadata.name, { spec: { template } }, 'mesh');
        }
        expect(summaryOf(await planned.plan())).toEqual(noSteps);
      }
    });
    test('a change of an owned field is corrected by one step', async () => {
      for (const planned of plannedWorkloads) {
        for (const object of planned.desired) {
          const { kind, metadata } = object;
          const drift = driftOf(object);
          await planned.patch(kind, metadata.name, drift, 'kubectl-edit');
          const correction = await planned.plan();
          expect([drift, summaryOf(correction)]).toEqual([
            drift,
            { ...noSteps, steps: [`drifted ${kind}/${metadata.name}`] },
          ]);
          await planned.execute(correction);
          expect(summaryOf(await planned.plan())).toEqual(noSteps);
        }
      }
    });

    test('objects that are no longer desired are deleted', async () => {
      for (const planned of plannedWorkloads) {
        planned.desired = [];
        const removal = await planned.plan({ allowLoss: new Set(['Claims']), inUse: () => false });
        expect(new Set(removal.steps.map(({ reason }) => reason))).toEqual(new Set(['unwanted']));
        await planned.execute(removal);
        expect(summaryOf(await planned.plan())).toEqual(noSteps);
      }
    });
  });

  const emptyPlatform = resolvePlatform([]);
  const createWorkload = async (
    namespace: string,
    desired: readonly KubernetesObject[],
    claims?: readonly string[],
  ) => {
    await createProject(controlPlane().client, emptyPlatform.project(namespace).project, emptyPlatform);
    return new PlannedWorkload(controlPlane().client, namespace, desired, claims);
  };

  test('replicas are kept until the autoscaler owns them, and are set again without it', async () => {
    const workload = await createWorkload('scaling', [deployment('scaling', 5)]);
    await workload.execute(await workload.plan());
    workload.desired = [deployment('scaling'), autoscalerOf('scaling')];
    const withAutoscaler = await workload.plan();
    expect(summaryOf(withAutoscaler).steps).toEqual(['changed Deployment/web', 'created HorizontalPodAutoscaler/web']);
    await workload.execute(withAutoscaler);
    expect((await workload.live('Deployment', 'web'))?.['spec']).toMatchObject({ replicas: 5 });
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
    await workload.patch('Deployment', 'web', { spec: { replicas: 7 } }, 'kube-controller-manager', 'scale');
    await workload.execute(await workload.plan());
    expect((await workload.live('Deployment', 'web'))?.['spec']).toMatchObject({ replicas: 7 });
    expect((await workload.plan()).steps).toEqual([]);
    await workload.patch('Deployment', 'web', { spec: { replicas: 6 } }, 'kube-controller-manager', 'scale');
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
    workload.desired = [deployment('scaling', 4)];
    await workload.execute(await workload.plan());
    expect((await workload.live('Deployment', 'web'))?.['spec']).toMatchObject({ replicas: 4 });
  });

  test('adopts a native Deployment on request, without a template change', async () => {
    const workload = await createWorkload('native', [deployment('native', 2)]);
    const [rendered] = workload.desired as readonly [KubernetesObject];
    const nativeObject = { ...rendered, metadata: { ...rendered.metadata, annotations: { 'example.com/old': 'yes' } } };
    await workload.client.request('PATCH', workload.path('Deployment', 'web'), nativeObject, {
      ...{ contentType: applyPatch, query: { fieldManager: 'kubectl' } },
    });
    const before = await workload.live('Deployment', 'web');
    expect(summaryOf(await workload.plan()).blockingIssues).toEqual(['NameConflict Deployment/web']);
    const adopting = await workload.plan({ adopt: true });
    expect(summaryOf(adopting).steps).toEqual(['adopted Deployment/web']);
    await workload.execute(adopting);
    const live = await workload.live('Deployment', 'web');
    expect(live?.['spec']).toEqual(before?.['spec']);
    expect(live?.metadata).toMatchObject({ uid: before?.metadata.uid, ownerReferences: [{ uid: owner.uid }] });
    expect(live?.metadata.annotations).not.toHaveProperty(['example.com/old']);
    expect(live?.metadata.managedFields?.map((entry) => entry.manager)).toEqual(['pinion']);
    expect(summaryOf(await workload.plan({ adopt: true }))).toEqual(noSteps);
  });

  test('claims grow in place where their class allows it, and the StatefulSet is recreated without its pods', async () => {
    const workload = await createWorkload('growing', [statefulSet('growing', '1Gi', 'elastic')], ['data-store-0']);
    const { client } = workload;
    const storageClass = {
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'elastic' } },
      ...{ provisioner: 'example.com/disk', allowVolumeExpansion: true },
    };
    expectStatus(await client.create(storageClass), [201]);
    await workload.execute(await workload.plan());
    await createClaim(workload, 'data-store-0', '1Gi', 'elastic');
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
    workload.desired = [statefulSet('growing', '2Gi', 'elastic')];
    const expansion = await workload.plan();
    expect(summaryOf(expansion)).toEqual({
      ...noSteps,
      steps: ['changed PersistentVolumeClaim/data-store-0'],
      waits: true,
    });
    await workload.execute(expansion);
    const recreation = await workload.plan();
    expect(summaryOf(recreation)).toEqual({ ...noSteps, steps: ['replaced StatefulSet/store Orphan'], waits: true });
    await workload.execute(recreation);
    await workload.execute(await workload.plan());
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
    expect((await workload.live('PersistentVolumeClaim', 'data-store-0'))?.['spec']).toMatchObject({
      resources: { requests: { storage: '2Gi' } },
    });
  });

  test.each([
    ['a Service that becomes headless', service('web', {}), service('web', { clusterIP: 'None' })],
    [
      'a StatefulSet with another Service',
      statefulSet('fixed', '1Gi'),
      statefulSet('fixed', '1Gi', undefined, 'other'),
    ],
    ['another run of a Job', job('one-0', 'a'), job('one-1', 'a')],
  ])('%s is recreated once', async (_, before, after) => {
    const workload = await createWorkload('fixed', [before]);
    await workload.execute(await workload.plan());
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
    workload.desired = [after];
    const replacement = await workload.plan();
    expect(replacement).toMatchObject({
      steps: [{ do: 'delete', reason: 'replaced' }],
      blockingIssues: [],
      waits: true,
    });
    await workload.execute(replacement);
    const creation = await workload.plan();
    expect(creation).toMatchObject({ steps: [{ do: 'apply', reason: 'created' }] });
    await workload.execute(creation);
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
  });

  test('a RoleBinding to another role is deleted and created in one plan, so that its subjects lose access for one request', async () => {
    const workload = await createWorkload('fixed', [binding('one')]);
    await workload.execute(await workload.plan());
    workload.desired = [binding('two')];
    const replacement = await workload.plan();
    expect(replacement).toMatchObject({
      steps: [
        { do: 'delete', reason: 'replaced' },
        { do: 'apply', reason: 'created' },
      ],
      blockingIssues: [],
    });
    await workload.execute(replacement);
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
  });

  test('a running Job keeps its pods when the platform changes its template', async () => {
    const workload = await createWorkload('running', [job('one-0', 'a', 'running')]);
    await workload.execute(await workload.plan());
    await workload.patch(
      'Job',
      'work',
      { status: { startTime: '2026-01-01T00:00:00Z' } },
      'kube-controller-manager',
      'status',
    );
    const wider = job('one-0', 'b', 'running');
    workload.desired = [
      { ...wider, metadata: { ...wider.metadata, labels: { ...wider.metadata.labels, team: 'new' } } },
    ];
    await workload.execute(await workload.plan());
    expect(summaryOf(await workload.plan())).toEqual(noSteps);
    const live = await workload.live('Job', 'work');
    expect(live?.metadata.labels).toMatchObject({ team: 'new' });
    expect(JSON.stringify(live?.['spec'])).toContain('"image":"a"');
  });
});

/** Returns a patch of an owned field: of the body if it is mutable, otherwise of a label. */
function driftOf({ kind, metadata, ...body }: KubernetesObject): object {
  const spec = body['spec'] as Readonly<Record<string, never>> | undefined;
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'DaemonSet':
      return { spec: { template: { metadata: { labels: { 'app.kubernetes.io/name': 'other' } } } } };
    case 'Service':
      return { spec: { selector: { extra: 'yes' } } };
    case 'HorizontalPodAutoscaler':
      return { spec: { maxReplicas: Number(spec?.['maxReplicas']) + 1 } };
    case 'CronJob':
      return { spec: { schedule: '1 2 3 4 5' } };
    case 'PodDisruptionBudget':
      return { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } };
    case 'NetworkPolicy':
      return { spec: { podSelector: { matchLabels: { extra: 'yes' } } } };
    case 'Ingress':
      return { spec: { ingressClassName: 'other' } };
    case 'ServiceAccount':
      return { automountServiceAccountToken: null };
    default:
      return { metadata: { labels: { [Object.keys(metadata.labels ?? {})[0] as string]: 'other' } } };
  }
}

function template(image = 'app', restartPolicy = 'Always') {
  return { metadata: { labels }, spec: { restartPolicy, containers: [{ name: 'app', image }] } };
}

function deployment(namespace: string, replicas?: number): KubernetesObject {
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace, labels } },
    spec: { ...(replicas !== undefined && { replicas }), selector: { matchLabels: labels }, template: template() },
  };
}

function autoscalerOf(namespace: string): KubernetesObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  return {
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web', namespace, labels } },
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 9 },
  };
}

function statefulSet(
  namespace: string,
  storage: string,
  storageClassName?: string,
  serviceName = 'store',
): KubernetesObject {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
    ...(storageClassName !== undefined && { storageClassName }),
  };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'store', namespace, labels } },
    spec: {
      ...{ replicas: 1, serviceName, selector: { matchLabels: labels }, template: template() },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
    },
  };
}

function service(name: string, more: object): KubernetesObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'fixed', labels } },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }], ...more },
  };
}

function binding(role: string): KubernetesObject {
  return {
    ...{
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'access', namespace: 'fixed', labels },
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
    subjects: [{ kind: 'Group', name: 'developers', apiGroup: 'rbac.authorization.k8s.io' }],
  };
}

function job(run: string, image: string, namespace = 'fixed'): KubernetesObject {
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job' },
    metadata: { name: 'work', namespace, labels, annotations: { 'pinterest.com/run': run } },
    spec: { completions: 1, parallelism: 1, template: template(image, 'Never') },
  };
}

/** Creates a bound claim, as the controller manager does for a member of a StatefulSet. */
async function createClaim(
  workload: PlannedWorkload,
  name: string,
  storage: string,
  storageClassName: string,
): Promise<void> {
  const claim = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: workload.namespace, labels } },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
  };
  expectStatus(await workload.client.create(claim), [201]);
  const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage } };
  await workload.patch('PersistentVolumeClaim', name, { status }, 'kube-controller-manager', 'status');
}
