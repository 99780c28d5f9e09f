import { applyPlan } from '../../lib/controller/apply-plan';
import { type Child } from '../../lib/controller/observed/child';
import { type ClusterWriter } from '../../lib/controller/cluster-writer';
import { type ReconcilePlan, type PlanStep } from '../../lib/controller/plan/plan-step';
import { type KubernetesObject } from '../../lib/expand';
import { AppliedCache } from '../../lib/controller/plan/applied-cache';
import { ApiError, type LiveObject } from '../../lib/kube';

const object = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
});
const child = (name: string): Child => ({
  kind: 'Service',
  name,
  namespace: 'shop',
  uid: `uid-${name}`,
  resourceVersion: '7',
  generation: 1,
  deleting: false,
  digest: '',
  status: {},
  content: () => {
    throw new Error('unexpected call');
  },
});
const ownerReference = (uid: string) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  name: 'shop',
  uid,
  controller: true,
});
const create = (name: string): PlanStep => ({ do: 'apply', object: object(name), reason: 'created' });
const change = (name: string): PlanStep => ({
  do: 'apply',
  object: object(name),
  current: child(name),
  reason: 'changed',
});
const remove = (name: string): PlanStep => ({
  do: 'delete',
  target: child(name),
  propagation: 'Background',
  reason: 'unwanted',
});
const planOf = (...steps: PlanStep[]): ReconcilePlan => ({ steps, blockingIssues: [], waits: false });

/**
 * A ClusterWriter that records its calls and fails with the errors of a test; responses of the real API server are
 * covered by end-to-end tests.
 */
function recordingWriter(errors: Readonly<Record<string, ApiError | ApiError[]>> = {}, live?: LiveObject) {
  const requests: string[] = [];
  const applied: { readonly object: KubernetesObject; readonly force: boolean }[] = [];
  const answer = (name: string, what: string) => {
    requests.push(`${what} ${name}`);
    const given = errors[name];
    const error = Array.isArray(given) ? given.shift() : given;
    return error ? Promise.reject(error) : Promise.resolve();
  };
  const writer = {
    apply: (given: KubernetesObject, { force }: { readonly force: boolean }) => {
      applied.push({ object: given, force });
      return answer(given.metadata.name, 'apply');
    },
    remove: ({ name }: Child) => answer(name, 'delete'),
    read: () => Promise.resolve(live),
    release: ({ name }: Child) => answer(name, 'release').then(() => '8'),
  } as Partial<ClusterWriter> as ClusterWriter;
  return { writer, requests, applied };
}

describe('an object with the name of the authority of the gateway', () => {
  const authority: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'pinion-gateway-ca', namespace: 'shop', ownerReferences: [ownerReference('own')] },
  };
  const plan = planOf({ do: 'apply', object: authority, reason: 'created' });
  const invalid = new ApiError(422, 'Invalid', 'is invalid');
  const stored = (more: object, uid = 'other'): LiveObject => ({
    ...authority,
    metadata: {
      name: 'pinion-gateway-ca',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '3',
      ownerReferences: [ownerReference(uid)],
    },
    ...more,
  });

  it('is taken over from another client', async () => {
    const { writer, applied } = recordingWriter();
    expect(await applyPlan(plan, writer, new AppliedCache())).toMatchObject({ rejected: [] });
    expect(applied).toEqual([{ object: authority, force: true }]);
  });

  it.each([
    ['is immutable', stored({ immutable: true }, 'own')],
    ['has another owner', stored({})],
  ])('is replaced if one %s', async (_what, live) => {
    const { writer, requests } = recordingWriter({ 'pinion-gateway-ca': [invalid] }, live);
    expect(await applyPlan(plan, writer, new AppliedCache())).toMatchObject({ rejected: [] });
    expect(requests).toEqual(['apply pinion-gateway-ca', 'delete pinion-gateway-ca', 'apply pinion-gateway-ca']);
  });

  it('is not replaced if it is invalid itself', async () => {
    const { writer, requests } = recordingWriter({ 'pinion-gateway-ca': [invalid] }, stored({}, 'own'));
    expect(await applyPlan(plan, writer, new AppliedCache())).toMatchObject({ rejected: [{ error: invalid }] });
    expect(requests).toEqual(['apply pinion-gateway-ca']);
  });
});

describe('applying a plan', () => {
  it('runs steps in order, creates without force, and updates only the version that was observed', async () => {
    const { writer, requests, applied } = recordingWriter();
    const { done } = await applyPlan(planOf(create('a'), change('b'), remove('c')), writer, new AppliedCache());
    expect(requests).toEqual(['apply a', 'apply b', 'delete c']);
    expect(done).toHaveLength(3);
    expect(applied.map(({ force }) => force)).toEqual([false, true]);
    expect(applied[1]?.object.metadata).toMatchObject({ uid: 'uid-b', resourceVersion: '7' });
  });

  it('records a rejected step and continues with the rest', async () => {
    const forbidden = new ApiError(403, 'Forbidden', 'exceeded quota');
    const { writer, requests } = recordingWriter({ a: forbidden });
    const { rejected, conflicted } = await applyPlan(planOf(create('a'), create('b')), writer, new AppliedCache());
    expect(requests).toEqual(['apply a', 'apply b']);
    expect(rejected).toEqual([{ kind: 'Service', name: 'a', error: forbidden }]);
    expect(conflicted).toBe(false);
  });

  it('treats a conflict on an observed object as a conflict, and on a new object as a rejection', async () => {
    const conflict = new ApiError(409, 'Conflict', 'changed');
    expect(
      await applyPlan(planOf(change('a')), recordingWriter({ a: conflict }).writer, new AppliedCache()),
    ).toMatchObject({
      rejected: [],
      conflicted: true,
    });
    expect(
      await applyPlan(planOf(create('a')), recordingWriter({ a: conflict }).writer, new AppliedCache()),
    ).toMatchObject({
      conflicted: false,
      rejected: [{ name: 'a' }],
    });
  });

  it.each([0, 429, 503, 504, 401])('aborts on status %d, which does not concern the object', async (status) => {
    const { writer, requests } = recordingWriter({ a: new ApiError(status, 'x', 'not now') });
    await expect(applyPlan(planOf(create('a'), create('b')), writer, new AppliedCache())).rejects.toMatchObject({
      status,
    });
    expect(requests).toEqual(['apply a']);
  });

  it('releases the fields of other managers before it adopts an object, and continues from the resulting version', async () => {
    const { writer, requests, applied } = recordingWriter();
    await applyPlan(
      planOf({ do: 'apply', object: object('a'), current: child('a'), reason: 'adopted', release: [] }),
      writer,
      new AppliedCache(),
    );
    expect(requests).toEqual(['release a', 'apply a']);
    expect(applied[0]?.object.metadata).toMatchObject({ resourceVersion: '8' });
  });
});
