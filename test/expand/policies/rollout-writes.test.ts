import { policyVerdict, type PolicyRequest } from './policy-verdict';

const controller = 'system:serviceaccount:pinion-controller:pinion-platform-controller';
const rollouts = { maxFailures: 0, budget: { pods: 200 } };
const params = { spec: { breakGlass: ['on-call'], administrators: ['admins'], rollouts } };
type Fields = Readonly<Record<string, unknown>>;
const rollout = (spec: Fields = {}, metadata: Fields = {}) => ({
  metadata: { name: 'rollout-2-b', ...metadata },
  spec: { revision: 'rev-b', policy: rollouts, paused: false, aborted: false, rollback: false, ...spec },
});
const write = (request: Partial<PolicyRequest>) =>
  policyVerdict('platform-writes', {
    ...{ user: controller, resource: 'platformrollouts', object: rollout(), params },
    ...request,
  });

describe('the rollout that the controller creates', () => {
  test('has the policy of the Platform, and no decision', () => {
    expect(write({})).toBeUndefined();
    expect(write({ object: rollout({ rollbackOf: 'rollout-1-a' }) })).toBeUndefined();
    const refusal = expect.stringContaining('only with the policy of the Platform') as string;
    expect(write({ object: rollout({ policy: { ...rollouts, maxFailures: 1000 } }) })).toEqual(refusal);
    for (const field of ['paused', 'aborted', 'rollback'])
      expect(write({ object: rollout({ [field]: true }) })).toEqual(refusal);
    expect(write({ object: rollout({ emergency: { reason: 'x', until: '2026-03-01T12:00:00Z' } }) })).toEqual(refusal);
    expect(write({ object: rollout({ approvedImpact: 'sha256:a' }) })).toEqual(refusal);
    expect(write({ params: { spec: {} } })).toEqual(refusal);
  });
});

describe('an update by a member of the on-call group', () => {
  const change = (spec: Fields, metadata: Fields = {}, more: Partial<PolicyRequest> = {}) =>
    write({
      ...{ user: 'rita', groups: ['on-call'], operation: 'UPDATE' },
      ...{ oldObject: rollout(), object: rollout(spec, metadata) },
      ...more,
    });
  const set = { 'f:spec': { 'f:emergency': { 'f:until': {} } } };
  const emergency = (until: string, time = '2026-03-01T12:00:00Z') =>
    [
      { emergency: { reason: 'x', until } },
      {
        managedFields: [
          { manager: 'a', time: '2020-01-01T00:00:00Z' },
          { manager: 'b', time, fieldsV1: set },
        ],
      },
    ] as const;

  test('changes only what an operator decides', () => {
    for (const field of ['paused', 'aborted', 'rollback']) expect(change({ [field]: true })).toBeUndefined();
    expect(change({ approvedImpact: 'sha256:a' })).toBeUndefined();
    expect(change({ approvedImpact: 'sha256:a' }, {}, { groups: [] })).toContain('only groups of spec.administrators');
    const refusal = expect.stringContaining('change only spec.paused') as string;
    expect(change({ revision: 'rev-c' })).toEqual(refusal);
    expect(change({ returnTo: 'rev-a' })).toEqual(refusal);
    for (const field of ['ownerReferences', 'finalizers']) expect(change({}, { [field]: ['x'] })).toEqual(refusal);
    expect(change({}, { annotations: { a: 'b' } })).toEqual(refusal);
    expect(change({}, { labels: { a: 'b' } })).toBeUndefined();
    expect(change({ revision: 'rev-c' }, {}, { groups: ['on-call', 'admins'] })).toBeUndefined();
    expect(change({ paused: true }, {}, { groups: [] })).toContain('only groups of spec.administrators');
  });

  test('sets an emergency of at most 24 hours, as everybody does', () => {
    expect(change(...emergency('2026-03-02T12:00:00Z'))).toBeUndefined();
    const refusal = expect.stringContaining('at most 24 hours ahead') as string;
    for (const until of ['2026-03-02T12:00:01Z', '9999-01-01T00:00:00Z']) {
      expect(change(...emergency(until))).toEqual(refusal);
      expect(change(...emergency(until), { groups: ['admins'] })).toEqual(refusal);
    }
    const [spec] = emergency('2026-03-02T12:00:00Z');
    expect(change(spec)).toEqual(refusal);
    // An emergency that is left as it is.
    const kept = { oldObject: rollout(spec) };
    expect(change({ ...spec, paused: true }, {}, kept)).toBeUndefined();
    expect(change({}, {}, kept)).toBeUndefined();
  });
});

describe('the status of the Platform', () => {
  const platform = (revisions: object | undefined, spec: object = { rollouts }) => ({
    metadata: { name: 'cluster' },
    spec,
    status: { ...(revisions && { revisions }) },
  });
  const before = { current: 'rev-b', completed: 'rev-a' };
  const report = (from: object | undefined, to: object | undefined, spec?: object) =>
    policyVerdict('status-writes', {
      ...{ user: controller, resource: 'platforms', operation: 'UPDATE' },
      ...{ oldObject: platform(from), object: platform(to, spec) },
    });

  test('has the completed revision of before, or the one that was current', () => {
    expect(report(undefined, before)).toBeUndefined();
    expect(report(before, { current: 'rev-c', completed: 'rev-a' })).toBeUndefined();
    expect(report(before, { current: 'rev-c', completed: 'rev-b' })).toBeUndefined();
    const refusal = expect.stringContaining('becomes only the revision that was current') as string;
    expect(report(before, { current: 'rev-c', completed: 'rev-c' })).toEqual(refusal);
    expect(report(before, undefined)).toEqual(refusal);
    expect(report(before, undefined, {})).toBeUndefined();
  });
});

describe('the record of an expansion', () => {
  const deployment = (record?: string) => ({
    metadata: { name: 'cart', annotations: record === undefined ? {} : { 'pinterest.com/expansion': record } },
  });
  const write = (user: string) =>
    policyVerdict('expansion-records', {
      user,
      resource: 'deployments',
      namespace: 'shop',
      object: deployment('a/b/c'),
    });

  test('is written only by the controller', () => {
    expect(write('system:serviceaccount:pinion-controller:pinion-controller')).toBeUndefined();
    for (const user of ['mallory', controller]) expect(write(user)).toContain("only pinion's controller writes");
  });
});
