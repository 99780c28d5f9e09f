import { randomBytes } from 'node:crypto';
import { parseManifest, metadataKeys, type Workload } from '../../../lib/api';
import { AppliedCache } from '../../../lib/controller/plan/applied-cache';
import { expand, resolvePlatform } from '../../../lib/expand';
import { childOf } from '../../../lib/controller/observed/child-of';
import { type LiveObject } from '../../../lib/kube';
import { makeService } from '../../../lib/testing';
import {
  applied,
  config,
  deployment,
  object,
  objectsIn,
  owner,
  planned,
  stored,
  describePlan,
  withMetadata,
  withSpec,
} from './plan-fixture';

describe('desired and live objects', () => {
  test('everything is created in the desired order, with owner and hash', () => {
    const { steps } = planned([config('a'), deployment()], []);
    expect(steps).toMatchObject([
      {
        do: 'apply',
        reason: 'created',
        object: { kind: 'ConfigMap', metadata: { ownerReferences: [{ uid: 'owner', controller: true }] } },
      },
      {
        do: 'apply',
        reason: 'created',
        object: {
          kind: 'Deployment',
          metadata: { annotations: { [metadataKeys.lastAppliedHash]: expect.any(String) as string } },
        },
      },
    ]);
    expect(JSON.stringify(objectsIn({ steps })[1]?.['spec'])).not.toContain(metadataKeys.lastAppliedHash);
  });

  test('objects as applied are left alone, with or without a cache', () => {
    const desired = [config('a'), deployment()];
    const live = applied(desired);
    const appliedCache = new AppliedCache();
    expect(describePlan(planned(desired, live, { appliedCache }))).toEqual([]);
    expect(appliedCache.size).toBe(2);
    expect(describePlan(planned(desired, live, { appliedCache }))).toEqual([]);
    expect(describePlan(planned(structuredClone(desired), live))).toEqual([]);
  });

  test('a plan depends only on its input, and changes nothing outside of its result', () => {
    const desired = [config('a'), deployment()];
    const appliedCache = Object.freeze({ isSettled: () => false, rejectionOf: () => undefined });
    const live = applied(desired);
    const first = planned(desired, live, { appliedCache });
    expect(first.settled?.map(({ child }) => child.name)).toEqual(['a', 'web']);
    expect(planned(desired, live, { appliedCache })).toEqual(first);
  });

  test('protected objects are neither applied nor pruned, whatever was applied to them last', () => {
    const [live] = applied([deployment()]) as [LiveObject];
    const unchanged = [{ ...deployment(), spec: live['spec'], added: 'by the server' }];
    const untouched = new Set(['Deployment/web']);
    expect(describePlan(planned(unchanged, [live], { untouched }))).toEqual([]);
    expect(describePlan(planned(unchanged, [live]))).toEqual(['changed Deployment/web']);
  });

  test('a change is applied over the object that it changes', () => {
    const live = applied([deployment()]);
    const { steps } = planned([deployment({ paused: true })], live);
    expect(steps).toMatchObject([{ do: 'apply', reason: 'changed', current: { uid: 'uid-Deployment-web' } }]);
  });

  test('a field that is no longer desired is a change, although the live object holds all the rest', () => {
    const live = applied([deployment({ paused: true })]);
    expect(describePlan(planned([deployment()], live))).toEqual(['changed Deployment/web']);
  });

  test('drift is corrected, with or without a cache', () => {
    const desired = [deployment()];
    const [live] = applied(desired) as [LiveObject];
    const appliedCache = new AppliedCache();
    planned(desired, [live], { appliedCache });
    const drifted = withSpec(live, { template: { spec: { containers: [{ name: 'app', image: 'b' }] } } });
    expect(describePlan(planned(desired, [drifted], { appliedCache }))).toEqual(['drifted Deployment/web']);
  });

  test("the server's result of an apply counts as desired, so that nothing is applied forever", () => {
    const desired = [deployment()];
    const [live] = applied(desired) as [LiveObject];
    const rewritten = withSpec(live, { template: { spec: { containers: [{ name: 'app', image: 'mirror/a' }] } } });
    const appliedCache = new AppliedCache();
    expect(describePlan(planned(desired, [rewritten], { appliedCache }))).toEqual(['drifted Deployment/web']);
    appliedCache.settle(childOf(rewritten));
    expect(describePlan(planned(desired, [rewritten], { appliedCache }))).toEqual([]);
  });

  test('the plan waits for objects that are being deleted', () => {
    const live = applied([deployment()]).map((one) => withMetadata(one, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(describePlan(planned([deployment()], live))).toEqual(['waits']);
  });

  test('cache entries of deleted objects are dropped', () => {
    const appliedCache = new AppliedCache();
    planned([deployment()], applied([deployment()]), { appliedCache });
    planned([], [], { appliedCache });
    expect(appliedCache.size).toBe(0);
  });
});

describe('objects of other owners', () => {
  const theirs = {
    apiVersion: 'helm.example.com/v1',
    kind: 'HelmRelease',
    name: 'shop',
    uid: 'other',
    controller: true,
  };

  test.each([
    ['another owner', { ownerReferences: [theirs] }, true, /belongs to HelmRelease shop\. Give/],
    ['a manager', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, false, /managed by Helm .* spec\.adopt/],
    [
      'a writer',
      { labels: {}, managedFields: [{ manager: 'kubectl', operation: 'Update' }] },
      false,
      /written by kubectl/,
    ],
  ])('a name taken by %s is a blocking issue, and its object is left alone', (_, metadata, adopt, message) => {
    const { steps, blockingIssues } = planned([deployment()], [stored(deployment(), metadata)], { adopt });
    expect([steps, blockingIssues]).toEqual([
      [],
      [expect.objectContaining({ reason: 'NameConflict', message: expect.stringMatching(message) as string })],
    ]);
  });

  test.each([
    ['PinterestService', /spec\.adopt: true to take it over, or give PinterestService web another name\./],
    ['Project', /spec\.adopt: true to take it over, or give Project web another name\./],
    ['Platform', /Remove it or give it another name: Platform web needs Deployment web for itself\./],
  ])('%s whose object is taken reports a remedy that its users can apply', (kind, message) => {
    const existing = stored(deployment(), { labels: {} });
    const { blockingIssues } = planned([deployment()], [existing], { owner: { ...owner, kind } });
    expect(blockingIssues).toEqual([
      expect.objectContaining({ reason: 'NameConflict', message: expect.stringMatching(message) as string }),
    ]);
  });

  test.each([
    ['has an address of its own', { clusterIP: 'None' }, { clusterIP: '10.0.0.1' }],
    ['is headless', {}, { clusterIP: 'None' }],
  ])('a Service of another client that %s is not adopted, because it would be recreated', (fact, desired, live) => {
    const existing = stored(object('Service', 'payments', { spec: live }), { labels: {} });
    const { steps, blockingIssues } = planned([object('Service', 'payments', { spec: desired })], [existing], {
      adopt: true,
      full: () => existing,
    });
    expect([steps, blockingIssues]).toEqual([
      [],
      [expect.objectContaining({ reason: 'NameConflict', message: expect.stringContaining(fact) as string })],
    ]);
  });

  test('the remedy for an object that the spec names is another name there', () => {
    const existing = stored(object('Service', 'payments'), { labels: {} });
    const { blockingIssues } = planned([object('Service', 'payments')], [existing]);
    expect(blockingIssues[0]?.message).toContain('or use another name in PinterestService web.');
  });

  test('the plan waits for an object by its name if no owner will report its end', () => {
    const going = stored(object('Deployment', 'web'), { labels: {}, deletionTimestamp: '2026-01-01T00:00:00Z' });
    const { steps, waits, awaited } = planned([object('Deployment', 'web')], [going]);
    expect({ steps, waits }).toEqual({ steps: [], waits: true });
    expect(awaited).toMatchObject([{ kind: 'Deployment', name: 'web' }]);
  });

  test("while the pods' name is taken, nothing that would route traffic or an autoscaler to them is created or adopted", () => {
    const desired = [
      object('ServiceAccount', 'web'),
      object('Service', 'web', { spec: { selector: { app: 'ours' } } }),
      object('Deployment', 'web'),
      object('HorizontalPodAutoscaler', 'web', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } } }),
      object('Ingress', 'web'),
    ];
    const foreign = { labels: { app: 'theirs' }, ownerReferences: [theirs] };
    const { steps, blockingIssues } = planned(desired, [stored(object('Deployment', 'web'), foreign)]);
    expect(blockingIssues.map(({ reason }) => reason)).toEqual(['NameConflict']);
    expect(objectsIn({ steps }).map(({ kind }) => kind)).toEqual(['ServiceAccount']);
  });

  test('while the name of the Service is taken, no Ingress routes to it', () => {
    const desired = [object('Service', 'web'), object('Deployment', 'web'), object('Ingress', 'web')];
    const { steps } = planned(desired, [stored(object('Service', 'web'), { labels: {} })]);
    expect(objectsIn({ steps }).map(({ kind }) => kind)).toEqual(['Deployment']);
  });

  describe('while the name of the headless Service is taken', () => {
    const desired = [
      object('Service', 'cart', { spec: { clusterIP: 'None' } }),
      object('StatefulSet', 'web', { spec: { serviceName: 'cart' } }),
    ];
    const foreign = stored(object('Service', 'cart'), { ownerReferences: [theirs] });

    test('its StatefulSet, whose domain it would be, is not created', () => {
      const { steps, blockingIssues } = planned(desired, [foreign]);
      expect(steps).toEqual([]);
      expect(blockingIssues.map(({ message }) => message)).toEqual([
        'Service cart exists and belongs to HelmRelease shop. Recreate PinterestService web with another name of its headless Service (spec.membersService), or remove the other owner.',
      ]);
    });

    test('its StatefulSet is not replaced, but it is still updated', () => {
      const live = applied(desired).filter(({ kind }) => kind === 'StatefulSet');
      const planOf = (spec: object) =>
        describePlan(
          planned(
            desired.map((one) =>
              one.kind === 'StatefulSet'
                ? object('StatefulSet', 'web', { spec: { serviceName: 'cart', ...spec } })
                : one,
            ),
            [...live, foreign],
          ),
        );
      expect(planOf({ podManagementPolicy: 'Parallel' })).toEqual(['NameConflict Service/cart', 'waits']);
      expect(planOf({ minReadySeconds: 5 })).toEqual(['changed StatefulSet/web', 'NameConflict Service/cart']);
    });

    test('a set with another Service is created', () => {
      const other = object('StatefulSet', 'web', { spec: { serviceName: 'web-members' } });
      expect(describePlan(planned([object('Service', 'cart'), other], [foreign]))).toEqual([
        'created StatefulSet/web',
        'NameConflict Service/cart',
      ]);
    });
  });

  test('the plan waits for an object of a deleted owner with the same name', () => {
    const live = stored(deployment(), { ownerReferences: [{ ...owner, uid: 'before' }] });
    expect(describePlan(planned([deployment()], [live]))).toEqual(['waits']);
  });

  test('objects of a deleted owner of the same name are removed once the current owner is confirmed', () => {
    const before = { ownerReferences: [{ ...owner, uid: 'before' }] };
    const [live, service] = [stored(deployment(), before), stored(object('Service', 'web'), before)];
    const ownedByPredecessor = [live, service].map(childOf);
    const observed = {
      child: (kind: string) => ownedByPredecessor.find((child) => child.kind === kind),
      owned: [],
      ownedByPredecessor,
    };
    const full = (uid: string) => () => ({ metadata: { uid } }) as LiveObject;
    expect(describePlan(planned([deployment()], [], { observed, full: full('another') }))).toEqual(['waits']);
    expect(describePlan(planned([deployment()], [], { observed, full: full('owner') }))).toEqual([
      'unwanted Deployment/web Background',
      'unwanted Service/web Background',
      'waits',
    ]);
  });

  test('a removed owner reference is restored', () => {
    const live = applied([deployment()]).map((one) => withMetadata(one, { ownerReferences: [] }));
    expect(describePlan(planned([deployment()], live))).toEqual(['drifted Deployment/web']);
  });

  test('native deployments are adopted on request, and released by their managers', () => {
    const entry = (manager: string, fieldsV1: object, subresource?: string) => ({
      manager,
      operation: 'Apply',
      fieldsV1,
      ...(subresource && { subresource }),
    });
    const deployer = entry('kubectl', { 'f:spec': { 'f:selector': {}, 'f:paused': {} } });
    const scaler = entry('kube-controller-manager', { 'f:spec': { 'f:replicas': {} } }, 'scale');
    const mesh = entry('mesh', { 'f:spec': { 'f:template': { 'f:metadata': { 'f:annotations': {} } } } });
    const live = stored(deployment(), { managedFields: [deployer, scaler, mesh] });
    const { steps } = planned([deployment()], [live], { adopt: true, full: () => live });
    expect(steps).toMatchObject([{ do: 'apply', reason: 'adopted', current: { uid: 'uid-Deployment-web' } }]);
    expect(steps[0]).toHaveProperty('release', [
      scaler,
      mesh,
      expect.objectContaining({ manager: 'pinion', operation: 'Apply', fieldsV1: deployer.fieldsV1 }),
    ]);
  });

  test('a ConfigMap that is too large for the cache is read before it is compared', () => {
    const config = object('ConfigMap', 'web', { data: { blob: randomBytes(100_000).toString('base64') } });
    const [live] = applied([config]) as [LiveObject];
    const drifted = { ...live, data: { blob: 'other' } } as LiveObject;
    expect(describePlan(planned([config], [live], { full: () => undefined }))).toEqual(['waits']);
    expect(describePlan(planned([config], [live], { full: () => live }))).toEqual([]);
    expect(describePlan(planned([config], [live], { full: () => drifted }))).toEqual(['drifted ConfigMap/web']);
  });

  test('an object that selects its pods by other labels cannot be adopted', () => {
    const live = withSpec(stored(deployment()), { selector: { matchLabels: { app: 'cart' } } });
    const { steps, blockingIssues } = planned([deployment()], [live], { adopt: true, full: () => live });
    expect([steps, blockingIssues]).toMatchObject([
      [],
      [{ reason: 'SelectorMismatch', message: expect.stringContaining('app=cart') as string }],
    ]);
  });

  test('the plan waits for kinds that are not synced yet', () => {
    expect(
      describePlan(planned([deployment()], [stored(deployment())], { adopt: true, full: () => undefined })),
    ).toEqual(['waits']);
  });
});

describe('the replica count and the autoscaler', () => {
  const scaler = object('HorizontalPodAutoscaler', 'web', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9 },
  });
  const owns = (manager: string, subresource?: string) => ({
    manager,
    operation: 'Apply',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...(subresource && { subresource }),
  });

  test('it is kept while only pinion owns it, released when another manager does, and reclaimed', () => {
    const [fixed] = applied([deployment({ replicas: 5 })]) as [LiveObject];
    const ours = withMetadata(fixed, { managedFields: [owns('pinion')] });
    const moving = planned([deployment(), scaler], [ours]);
    expect(describePlan(moving)).toEqual(['created HorizontalPodAutoscaler/web']);
    const paused = planned([deployment({ paused: true }), scaler], [ours]);
    expect(paused.steps[0]).toMatchObject({ reason: 'changed', object: { spec: { replicas: 5, paused: true } } });
    const scaled = withSpec(withMetadata(fixed, { managedFields: [owns('kube-controller-manager', 'scale')] }), {
      replicas: 7,
    });
    const [releasing] = objectsIn(planned([deployment(), scaler], [scaled]));
    expect(releasing?.['spec']).not.toHaveProperty('replicas');
    expect(planned([deployment({ replicas: 3 })], [scaled]).steps[0]).toMatchObject({
      object: { spec: { replicas: 3 } },
    });
  });
});

describe('other immutable fields', () => {
  const claim = (storage: string) =>
    object('PersistentVolumeClaim', 'a', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
  test.each([
    [
      'the address of a Service',
      object('Service', 'a', { spec: { clusterIP: 'None' } }),
      object('Service', 'a', { spec: {} }),
      ['replaced Service/a Background', 'waits'],
    ],
    [
      'the role of a binding, at once because its subjects have no permissions until then',
      object('RoleBinding', 'a', { roleRef: { name: 'a' } }),
      object('RoleBinding', 'a', { roleRef: { name: 'b' } }),
      ['replaced RoleBinding/a Background', 'created RoleBinding/a'],
    ],
    [
      'the value of a tier',
      object('PriorityClass', 'a', { value: 1 }),
      object('PriorityClass', 'a', { value: 2 }),
      ['replaced PriorityClass/a Background', 'waits'],
    ],
    [
      'the data of an immutable ConfigMap',
      config('a', 'x'),
      config('a', 'y'),
      ['replaced ConfigMap/a Background', 'waits'],
    ],
    [
      'scopes of a quota',
      object('ResourceQuota', 'a', { spec: { scopes: ['NotTerminating'] } }),
      object('ResourceQuota', 'a', { spec: {} }),
      ['replaced ResourceQuota/a Background', 'waits'],
    ],
    ['a larger claim is only applied', claim('1Gi'), claim('2Gi'), ['changed PersistentVolumeClaim/a']],
    [
      'a smaller claim waits for consent',
      claim('2Gi'),
      claim('1Gi'),
      ['DestructiveChangeBlocked PersistentVolumeClaim/a'],
    ],
    [
      'the selector of a Deployment',
      deployment({ selector: { matchLabels: { a: 'b' } } }),
      deployment(),
      ['DestructiveChangeBlocked Deployment/web'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(describePlan(planned([after], applied([before])))).toEqual(expected);
  });
});

test('a complete service converges after one reconcile, and a second one changes nothing', () => {
  const workload = parseManifest(makeService()) as Workload;
  const desired = expand(workload, resolvePlatform([]).project(workload.metadata.namespace));
  expect(describePlan(planned(desired, applied(desired)))).toEqual([]);
});
