import { keys } from '../../../lib/api';
import { childOf } from '../../../lib/controller/observed/child-of';
import { plan } from '../../../lib/controller/plan/plan';
import { type Plan, type PlanInput } from '../../../lib/controller/plan/plan-step';
import { Verdicts } from '../../../lib/controller/plan/verdicts';
import { expand, resolve, type KubernetesObject } from '../../../lib/expand';
import { type LiveObject, type OwnerReference } from '../../../lib/kube';
import { complete, type Workload } from '../../../lib/api';
import { makeService } from '../../../lib/testing';

const owner: OwnerReference = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  name: 'web',
  uid: 'owner',
  controller: true,
};
const labels = { 'app.kubernetes.io/managed-by': 'pinion', [keys.kind]: 'PinterestService', [keys.workload]: 'web' };

const object = (kind: string, name: string, body: object = {}, more: object = {}): KubernetesObject =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', labels, ...more }, ...body }) as KubernetesObject;

let version = 0;

/** An object as the server keeps it. */
const stored = (sent: KubernetesObject, metadata: object = {}, more: object = {}): LiveObject =>
  ({
    ...structuredClone(sent),
    metadata: {
      ...sent.metadata,
      uid: `uid-${sent.kind}-${sent.metadata.name}`,
      resourceVersion: `${++version}`,
      generation: 1,
      ...metadata,
    },
    ...more,
  }) as LiveObject;

function planned(
  desired: readonly KubernetesObject[],
  live: readonly LiveObject[],
  more: Partial<PlanInput> = {},
): Plan {
  const children = live.map(childOf);
  return plan({
    ...{ owner, namespace: 'shop', desired, adopt: false, allowLoss: new Set<'claims' | 'progress'>() },
    observed: {
      child: (kind, name) => children.find((child) => child.kind === kind && child.name === name),
      owned: children.filter(({ controller }) => controller?.uid === owner.uid),
    },
    ...more,
  });
}

/** Live objects that a first plan for them makes. */
const applied = (desired: readonly KubernetesObject[], more: Partial<PlanInput> = {}): LiveObject[] =>
  objectsIn(planned(desired, [], more)).map((sent) => stored(sent));

/** What a plan applies. */
const objectsIn = ({ steps }: Pick<Plan, 'steps'>): readonly KubernetesObject[] =>
  steps.flatMap((step) => (step.do === 'apply' ? [step.object] : []));

const told = ({ steps, obstacles, waits }: Plan): readonly string[] => [
  ...steps.map((step) =>
    step.do === 'apply'
      ? `${step.why} ${step.object.kind}/${step.object.metadata.name}`
      : `${step.why} ${step.target.kind}/${step.target.name} ${step.propagation}`,
  ),
  ...obstacles.map(({ reason, kind, name }) => `${reason} ${kind}/${name}`),
  ...(waits ? ['waits'] : []),
];

const withSpec = (live: LiveObject, spec: object): LiveObject => ({
  ...live,
  spec: { ...(live['spec'] as object), ...spec },
});
const withMetadata = (live: LiveObject, metadata: object): LiveObject => ({
  ...live,
  metadata: { ...live.metadata, ...metadata },
});
const withStatus = (live: LiveObject, status: object): LiveObject => ({ ...live, status });

const deployment = (body: object = {}) =>
  object('Deployment', 'web', {
    spec: {
      selector: { matchLabels: labels },
      template: { spec: { containers: [{ name: 'app', image: 'a' }] } },
      ...body,
    },
  });
const config = (name: string, data = name) => object('ConfigMap', name, { immutable: true, data: { data } });

describe('what there is and should be', () => {
  test('all is created in the order in which it is wanted, with the owner and the hash', () => {
    const { steps } = planned([config('a'), deployment()], []);
    expect(steps).toMatchObject([
      {
        do: 'apply',
        why: 'created',
        object: { kind: 'ConfigMap', metadata: { ownerReferences: [{ uid: 'owner', controller: true }] } },
      },
      {
        do: 'apply',
        why: 'created',
        object: { kind: 'Deployment', metadata: { annotations: { [keys.applied]: expect.any(String) as string } } },
      },
    ]);
    expect(JSON.stringify(objectsIn({ steps })[1]?.['spec'])).not.toContain(keys.applied);
  });

  test('what is as applied is left alone, whether or not it is remembered', () => {
    const desired = [config('a'), deployment()];
    const live = applied(desired);
    const verdicts = new Verdicts();
    expect(told(planned(desired, live, { verdicts }))).toEqual([]);
    expect(verdicts.size).toBe(2);
    expect(told(planned(desired, live, { verdicts }))).toEqual([]);
    expect(told(planned(structuredClone(desired), live))).toEqual([]);
  });

  test('what is to stay untouched is neither applied nor left over, whatever was applied to it last', () => {
    const [live] = applied([deployment()]) as [LiveObject];
    const asItLives = [{ ...deployment(), spec: live['spec'], added: 'by the server' }];
    const untouched = new Set(['Deployment/web']);
    expect(told(planned(asItLives, [live], { untouched }))).toEqual([]);
    expect(told(planned(asItLives, [live]))).toEqual(['changed Deployment/web']);
  });

  test('a change is applied over the object that it changes', () => {
    const live = applied([deployment()]);
    const { steps } = planned([deployment({ paused: true })], live);
    expect(steps).toMatchObject([{ do: 'apply', why: 'changed', over: { uid: 'uid-Deployment-web' } }]);
  });

  test('a field that is no longer wanted is a change, though the live object holds all the rest', () => {
    const live = applied([deployment({ paused: true })]);
    expect(told(planned([deployment()], live))).toEqual(['changed Deployment/web']);
  });

  test('drift is healed, remembered or not', () => {
    const desired = [deployment()];
    const [live] = applied(desired) as [LiveObject];
    const verdicts = new Verdicts();
    planned(desired, [live], { verdicts });
    const drifted = withSpec(live, { template: { spec: { containers: [{ name: 'app', image: 'b' }] } } });
    expect(told(planned(desired, [drifted], { verdicts }))).toEqual(['drifted Deployment/web']);
  });

  test('what the server makes of an apply is taken as desired, so that nothing is applied for ever', () => {
    const desired = [deployment()];
    const [live] = applied(desired) as [LiveObject];
    const rewritten = withSpec(live, { template: { spec: { containers: [{ name: 'app', image: 'mirror/a' }] } } });
    const verdicts = new Verdicts();
    expect(told(planned(desired, [rewritten], { verdicts }))).toEqual(['drifted Deployment/web']);
    verdicts.settle(childOf(rewritten));
    expect(told(planned(desired, [rewritten], { verdicts }))).toEqual([]);
  });

  test('what is about to go is waited for', () => {
    const live = applied([deployment()]).map((one) => withMetadata(one, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(told(planned([deployment()], live))).toEqual(['waits']);
  });

  test('verdicts on objects that are gone are forgotten', () => {
    const verdicts = new Verdicts();
    planned([deployment()], applied([deployment()]), { verdicts });
    planned([], [], { verdicts });
    expect(verdicts.size).toBe(0);
  });
});

describe('objects of others', () => {
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
  ])('a name that %s has taken stands in the way, and nothing is done to it', (_, metadata, adopt, message) => {
    const { steps, obstacles } = planned([deployment()], [stored(deployment(), metadata)], { adopt });
    expect([steps, obstacles]).toEqual([
      [],
      [expect.objectContaining({ reason: 'NameTaken', message: expect.stringMatching(message) as string })],
    ]);
  });

  test.each([
    ['PinterestService', /spec\.adopt: true to take it over, or give PinterestService web another name\./],
    ['Project', /spec\.adopt: true to take it over, or give Project web another name\./],
    ['Platform', /Remove it or give it another name: Platform web needs Deployment web for itself\./],
  ])('%s whose object is taken tells what that document itself can do', (kind, message) => {
    const taken = stored(deployment(), { labels: {} });
    const { obstacles } = planned([deployment()], [taken], { owner: { ...owner, kind } });
    expect(obstacles).toEqual([
      expect.objectContaining({ reason: 'NameTaken', message: expect.stringMatching(message) as string }),
    ]);
  });

  test('one that is about to go is waited for by its name, for no owner will tell of its end', () => {
    const going = stored(object('Deployment', 'web'), { labels: {}, deletionTimestamp: '2026-01-01T00:00:00Z' });
    const { steps, waits, awaited } = planned([object('Deployment', 'web')], [going]);
    expect({ steps, waits }).toEqual({ steps: [], waits: true });
    expect(awaited).toMatchObject([{ kind: 'Deployment', name: 'web' }]);
  });

  test("while the pods' name is taken, nothing that would lead traffic or an autoscaler to them is made or taken over", () => {
    const wanted = [
      object('ServiceAccount', 'web'),
      object('Service', 'web', { spec: { selector: { app: 'ours' } } }),
      object('Deployment', 'web'),
      object('HorizontalPodAutoscaler', 'web', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } } }),
      object('Ingress', 'web'),
    ];
    const foreign = { labels: { app: 'theirs' }, ownerReferences: [theirs] };
    const { steps, obstacles } = planned(wanted, [stored(object('Deployment', 'web'), foreign)]);
    expect(obstacles.map(({ reason }) => reason)).toEqual(['NameTaken']);
    expect(objectsIn({ steps }).map(({ kind }) => kind)).toEqual(['ServiceAccount']);
  });

  test('while the name of the Service is taken, no Ingress leads to it', () => {
    const wanted = [object('Service', 'web'), object('Deployment', 'web'), object('Ingress', 'web')];
    const { steps } = planned(wanted, [stored(object('Service', 'web'), { labels: {} })]);
    expect(objectsIn({ steps }).map(({ kind }) => kind)).toEqual(['Deployment']);
  });

  test('an object of an owner of the same name that is gone is waited for', () => {
    const live = stored(deployment(), { ownerReferences: [{ ...owner, uid: 'before' }] });
    expect(told(planned([deployment()], [live]))).toEqual(['waits']);
  });

  test('what a former custom resource of the same name owns is removed, once the present one is known to be the only one', () => {
    const before = { ownerReferences: [{ ...owner, uid: 'before' }] };
    const [live, service] = [stored(deployment(), before), stored(object('Service', 'web'), before)];
    const leaving = [live, service].map(childOf);
    const observed = { child: (kind: string) => leaving.find((child) => child.kind === kind), owned: [], leaving };
    const full = (uid: string) => () => ({ metadata: { uid } }) as LiveObject;
    expect(told(planned([deployment()], [], { observed, full: full('another') }))).toEqual(['waits']);
    expect(told(planned([deployment()], [], { observed, full: full('owner') }))).toEqual([
      'unwanted Deployment/web Background',
      'unwanted Service/web Background',
      'waits',
    ]);
  });

  test('an owner reference that somebody took away is put back', () => {
    const live = applied([deployment()]).map((one) => withMetadata(one, { ownerReferences: [] }));
    expect(told(planned([deployment()], live))).toEqual(['drifted Deployment/web']);
  });

  test('what was deployed natively is taken over when asked, and those who deployed it release it', () => {
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
    expect(steps).toMatchObject([{ do: 'apply', why: 'adopted', over: { uid: 'uid-Deployment-web' } }]);
    expect(steps[0]).toHaveProperty('release', [
      scaler,
      mesh,
      expect.objectContaining({ manager: 'pinion', operation: 'Apply', fieldsV1: deployer.fieldsV1 }),
    ]);
  });

  test('what selects its pods by other labels cannot be taken over', () => {
    const live = withSpec(stored(deployment()), { selector: { matchLabels: { app: 'cart' } } });
    const { steps, obstacles } = planned([deployment()], [live], { adopt: true, full: () => live });
    expect([steps, obstacles]).toMatchObject([
      [],
      [{ reason: 'SelectorDiffers', message: expect.stringContaining('app=cart') as string }],
    ]);
  });

  test('what is not read in full yet is waited for', () => {
    expect(told(planned([deployment()], [stored(deployment())], { adopt: true, full: () => undefined }))).toEqual([
      'waits',
    ]);
  });
});

describe('what is no longer wanted', () => {
  test('it is removed, last made first, and what others own is not', () => {
    const live = [
      ...applied([object('ServiceAccount', 'web'), object('Service', 'web'), deployment()]),
      stored(object('Service', 'stray')),
    ];
    expect(told(planned([], live))).toEqual([
      'unwanted Deployment/web Background',
      'unwanted Service/web Background',
      'unwanted ServiceAccount/web Background',
    ]);
  });

  test('a ConfigMap stays while older pods may refer to it', () => {
    const live = applied([config('old'), config('older')]);
    expect(told(planned([], live, { inUse: (_, name) => name === 'old' }))).toEqual([
      'unwanted ConfigMap/older Background',
    ]);
  });

  test('nobody asked, a ConfigMap stays until every rollout is over', () => {
    const [old, web] = applied([config('old'), deployment()]) as [LiveObject, LiveObject];
    const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 1 };
    expect(told(planned([deployment()], [old, withStatus(web, status)]))).toEqual([]);
    expect(told(planned([deployment()], [old, withStatus(web, { ...status, updatedReplicas: 2 })]))).toEqual([
      'unwanted ConfigMap/old Background',
    ]);
  });

  test('a claim waits for consent, for its data would be lost', () => {
    const live = applied([object('PersistentVolumeClaim', 'a'), object('PersistentVolumeClaim', 'b')]);
    expect(planned([], live).obstacles).toMatchObject([
      { reason: 'NeedsConsent', message: expect.stringContaining('1 others') as string },
    ]);
    expect(planned([], live, { allowLoss: new Set(['claims']) }).steps).toHaveLength(2);
  });

  test('what outlives the custom resource has no owner, and is known by its labels', () => {
    const claim = object('PersistentVolumeClaim', 'a', { spec: { resources: { requests: { storage: '1Gi' } } } });
    const unowned = new Set(['PersistentVolumeClaim/a']);
    const live = applied([claim], { unowned });
    expect(live[0]?.metadata).not.toHaveProperty('ownerReferences');
    expect(told(planned([claim], live, { unowned }))).toEqual([]);
    const labelled = { ...claim, metadata: { ...claim.metadata, labels: { ...labels, team: 'new' } } };
    expect(told(planned([labelled], live, { unowned }))).toEqual(['changed PersistentVolumeClaim/a']);
    const foreign = live.map((one) => withMetadata(one, { labels: {}, annotations: {} }));
    expect(told(planned([claim], foreign, { unowned }))).toEqual(['NameTaken PersistentVolumeClaim/a']);
  });
});

describe('the number of pods and the autoscaler', () => {
  const scaler = object('HorizontalPodAutoscaler', 'web', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9 },
  });
  const owns = (manager: string, subresource?: string) => ({
    manager,
    operation: 'Apply',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...(subresource && { subresource }),
  });

  test('it is kept while we alone own it, released when another does, and taken back', () => {
    const [fixed] = applied([deployment({ replicas: 5 })]) as [LiveObject];
    const ours = withMetadata(fixed, { managedFields: [owns('pinion')] });
    const moving = planned([deployment(), scaler], [ours]);
    expect(told(moving)).toEqual(['created HorizontalPodAutoscaler/web']);
    const paused = planned([deployment({ paused: true }), scaler], [ours]);
    expect(paused.steps[0]).toMatchObject({ why: 'changed', object: { spec: { replicas: 5, paused: true } } });
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

describe('a StatefulSet and its claims', () => {
  const set = (
    storage: string,
    {
      name = 'data',
      className = 'disk',
      ...more
    }: { name?: string; className?: string; serviceName?: string; replicas?: number } = {},
  ) =>
    object('StatefulSet', 'db', {
      spec: {
        ...{ replicas: 2, serviceName: 'db', selector: { matchLabels: labels }, template: {}, ...more },
        volumeClaimTemplates: [
          {
            metadata: { name },
            spec: { accessModes: ['ReadWriteOnce'], storageClassName: className, resources: { requests: { storage } } },
          },
        ],
      },
    });
  const claim = (index: number, storage: string, metadata: object = {}) =>
    stored(
      object('PersistentVolumeClaim', `data-db-${index}`, {
        spec: { storageClassName: 'disk', resources: { requests: { storage } } },
      }),
      metadata,
    );
  const [live] = applied([set('1Gi')]) as [LiveObject];
  const consent = { allowLoss: new Set<'claims' | 'progress'>(['claims']) };

  test('the same size in other words is no change', () => {
    expect(told(planned([set('1024Mi')], [live, claim(0, '1Gi')]))).toEqual(['changed StatefulSet/db']);
  });

  test('claims grow first, those of former members too, and of the claim only its size is touched', () => {
    const { steps, waits } = planned([set('2Gi')], [live, claim(0, '1Gi'), claim(1, '2Gi'), claim(2, '1Gi')]);
    expect(steps.map((step) => step.do === 'apply' && step.object.metadata.name)).toEqual(['data-db-0', 'data-db-2']);
    expect(objectsIn({ steps })[0]?.['spec']).toEqual({
      resources: { requests: { storage: '2Gi' } },
    });
    expect(waits).toBe(true);
  });

  test('when they have grown the set is made anew around its pods', () => {
    expect(told(planned([set('2Gi')], [live, claim(0, '2Gi')]))).toEqual(['replaced StatefulSet/db Orphan', 'waits']);
  });

  test('a class that cannot expand is said, once, and the rest of the change goes on', () => {
    const verdicts = new Verdicts();
    const observed = [live, claim(0, '1Gi')];
    const [growth] = objectsIn(planned([set('2Gi', { replicas: 3 })], observed, { verdicts })) as [KubernetesObject];
    verdicts.refuse(growth, 'only dynamically provisioned claims can be resized.');
    const after = planned([set('2Gi', { replicas: 3 })], observed, { verdicts });
    expect(told(after)).toEqual(['changed StatefulSet/db', 'ClaimsNotExpandable PersistentVolumeClaim/data-db-0']);
    expect(after.steps[0]).toMatchObject({
      object: {
        spec: { replicas: 3, volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1Gi' } } } }] },
      },
    });
    verdicts.retry();
    expect(told(planned([set('2Gi', { replicas: 3 })], observed, { verdicts }))).toContain(
      'changed PersistentVolumeClaim/data-db-0',
    );
  });

  test.each([
    ['smaller', set('512Mi')],
    ['of another class', set('1Gi', { className: 'tape' })],
    ['of another name', set('1Gi', { name: 'store' })],
  ])('claims that are to be %s wait for consent', (_, desired) => {
    const observed = [live, claim(0, '1Gi'), claim(1, '1Gi')];
    expect(told(planned([desired], observed))).toEqual(['NeedsConsent StatefulSet/db']);
    expect(told(planned([desired], observed, consent))).toEqual([
      ...['replaced PersistentVolumeClaim/data-db-0 Background', 'replaced PersistentVolumeClaim/data-db-1 Background'],
      ...['replaced StatefulSet/db Foreground', 'waits'],
    ]);
  });

  test('what goes on while consent is waited for is applied once', () => {
    const desired = [set('512Mi', { replicas: 4 })];
    const { steps } = planned(desired, [live, claim(0, '1Gi')]);
    const next = objectsIn({ steps }).map((sent) => stored(sent));
    expect(next).toHaveLength(1);
    expect(told(planned(desired, [...next, claim(0, '1Gi')]))).toEqual(['NeedsConsent StatefulSet/db']);
  });

  test('templates that nothing was claimed by yet change without consent', () => {
    expect(told(planned([set('512Mi')], [live]))).toEqual(['replaced StatefulSet/db Orphan', 'waits']);
  });

  test('another governing Service makes the set anew around its pods', () => {
    expect(told(planned([set('1Gi', { serviceName: 'other' })], [live]))).toEqual([
      'replaced StatefulSet/db Orphan',
      'waits',
    ]);
  });

  test('a set is not made while its claims are going, and smaller ones that were kept grow', () => {
    const going = claim(1, '1Gi', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(told(planned([set('1Gi')], [going]))).toEqual(['waits']);
    expect(told(planned([set('2Gi')], [claim(0, '1Gi')]))).toEqual([
      'changed PersistentVolumeClaim/data-db-0',
      'created StatefulSet/db',
    ]);
  });
});

describe('a Job', () => {
  const job = (image: string, run?: string, more: object = {}) =>
    object(
      'Job',
      'work',
      { spec: { completions: 1, template: { spec: { containers: [{ name: 'app', image }] } }, ...more } },
      run === undefined ? {} : { annotations: { [keys.run]: run } },
    );
  const running = { startTime: '2026-01-01T00:00:00Z' };
  const over = { ...running, conditions: [{ type: 'Complete', status: 'True' }] };
  const live = (sent: KubernetesObject, status: object) => applied([sent]).map((one) => withStatus(one, status));

  test.each([
    ['another run replaces it', job('a', 'r-0'), running, job('a', 'r-1'), ['replaced Job/work Foreground', 'waits']],
    [
      'another run replaces one that ended',
      job('a', 'r-0'),
      over,
      job('a', 'r-1'),
      ['replaced Job/work Foreground', 'waits'],
    ],
    ['one that ended is left alone', job('a', 'r-0'), over, job('b', 'r-0', { suspend: true }), []],
    [
      'one that never started is made anew',
      job('a', 'r-0', { suspend: true }),
      {},
      job('b', 'r-0'),
      ['replaced Job/work Background', 'waits'],
    ],
    [
      'one that waited may start',
      job('a', 'r-0', { suspend: true }),
      {},
      job('a', 'r-0', { suspend: false }),
      ['changed Job/work'],
    ],
    [
      'one that waits again after some of its work was done is not made anew',
      job('a', 'r-0', { suspend: true }),
      { succeeded: 1, completedIndexes: '0', conditions: [{ type: 'Suspended', status: 'True' }] },
      job('b', 'r-0'),
      ['changed Job/work'],
    ],
    ['one that nobody conducts asks before it loses progress', job('a'), running, job('b'), ['NeedsConsent Job/work']],
  ])('%s', (_, before, status, after, expected) => {
    expect(told(planned([after], live(before, status)))).toEqual(expected);
  });

  test('one that runs goes on with its pods when only the platform changes, and is then left alone', () => {
    const [before] = live(job('a', 'r-0'), running) as [LiveObject];
    const desired = [job('b', 'r-0', { ttlSecondsAfterFinished: 60 })];
    const { steps } = planned(desired, [before]);
    expect(steps).toMatchObject([
      {
        why: 'changed',
        object: { spec: { ttlSecondsAfterFinished: 60, template: { spec: { containers: [{ image: 'a' }] } } } },
      },
    ]);
    const next = withStatus(stored(objectsIn({ steps })[0] as KubernetesObject), running);
    expect(told(planned(desired, [next]))).toEqual([]);
  });

  test('one that is wanted as it lives, and only is to go on, is not made anew', () => {
    const [before] = live(job('a', 'r-0', { suspend: true }), {}) as [LiveObject];
    const spec = before['spec'] as { template: { spec: object } };
    const template = { spec: { ...spec.template.spec, dnsPolicy: 'ClusterFirst' } };
    const lives = withSpec(before, { template });
    const desired = job('a', 'r-0', { template, suspend: false });
    expect(told(planned([desired], [lives]))).toEqual(['changed Job/work']);
  });

  test('with consent it starts anew', () => {
    const consent = { allowLoss: new Set<'claims' | 'progress'>(['progress']) };
    expect(told(planned([job('b')], live(job('a'), running), consent))).toEqual([
      'replaced Job/work Foreground',
      'waits',
    ]);
  });
});

describe('other things that cannot be changed', () => {
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
      'the role of a binding',
      object('RoleBinding', 'a', { roleRef: { name: 'a' } }),
      object('RoleBinding', 'a', { roleRef: { name: 'b' } }),
      ['replaced RoleBinding/a Background', 'waits'],
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
    ['a smaller claim waits for consent', claim('2Gi'), claim('1Gi'), ['NeedsConsent PersistentVolumeClaim/a']],
    [
      'the selector of a Deployment',
      deployment({ selector: { matchLabels: { a: 'b' } } }),
      deployment(),
      ['NeedsConsent Deployment/web'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(told(planned([after], applied([before])))).toEqual(expected);
  });
});

test('a whole service comes to rest after one pass, and a second one finds nothing', () => {
  const workload = complete(makeService()) as Workload;
  const desired = expand(workload, resolve([]).project(workload.metadata.namespace));
  expect(told(planned(desired, applied(desired)))).toEqual([]);
});
