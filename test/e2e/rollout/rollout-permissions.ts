import { apiVersion, group } from '../../../lib/api';
import { expectStatus } from '../../control-plane/api-response';
import { type RolloutFleet } from '../rollout-fleet';

/** Members of a team, and people on call, who are named in `spec.breakGlass` of the Platform. */
export const rolloutUsers = [
  { name: 'mallory', groups: ['developers'] },
  { name: 'rita', groups: ['on-call'] },
];

const emergencyFor = (hours: number) => ({
  reason: 'the test',
  until: `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`,
});

const root = `/apis/${group}/v1`;
const contentTypeOf = (method: string) => (method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {});

/** Defines a test of who may write rollouts and revisions, whatever RBAC permits. */
export function defineRolloutPermissions(fleet: RolloutFleet): void {
  const { pinion } = fleet;
  const send = async (
    user: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<readonly [number, string]> => {
    const client = pinion().cluster.as(user);
    const { status, body: answer } = await client.request(method, `${root}/${path}`, body, contentTypeOf(method));
    return [status, String((answer as { readonly message?: string }).message)];
  };

  test('operators change rollouts; tenants write neither rollouts nor revisions', async () => {
    const { rollout = '', current = '' } = (await fleet.revisions()) ?? {};
    const path = `platformrollouts/${rollout}`;
    const pause = (paused: boolean) => ({ spec: { paused } });
    const metadata = { name: 'forged' };
    const attemptsOn = async (kind: 'PlatformRollout' | 'PlatformRevision', plural: string, name: string) => {
      // A valid object, so that only the policy can be against it.
      const spec = (await pinion().read(kind, '', name))?.spec;
      expect(spec).toBeDefined();
      return [
        ['POST', plural, { apiVersion, kind, metadata, spec }],
        ['DELETE', `${plural}/${name}`],
      ] as const;
    };
    const status = { status: { phase: 'Completed' } };
    const attempts = [
      ...(await attemptsOn('PlatformRollout', 'platformrollouts', rollout)),
      ...(await attemptsOn('PlatformRevision', 'platformrevisions', current)),
      ['PATCH', `${path}/status`, status],
    ] as const;
    const denied = async (user: string, all: readonly (readonly [string, string, object?])[], reason: RegExp) => {
      for (const [method, target, body] of all) {
        const [code, message] = await send(user, method, target, body);
        expect([user, method, target, code, message]).toEqual([
          ...[user, method, target, expect.any(Number) as number],
          expect.stringMatching(reason) as string,
        ]);
      }
    };
    const pausing = ['PATCH', path, pause(true)] as const;
    await denied('mallory', [pausing, ...attempts], /cannot (patch|create|delete) resource/);

    // A role that permits all of it.
    const rbac = 'rbac.authorization.k8s.io';
    const role = { kind: 'ClusterRole', name: 'rollout-writers' };
    const resources = ['platformrollouts', 'platformrollouts/status', 'platformrevisions', 'platformrevisions/status'];
    const subjects = ['developers', 'on-call'].map((name) => ({ apiGroup: rbac, kind: 'Group', name }));
    for (const object of [
      { kind: role.kind, rules: [{ apiGroups: [group], resources, verbs: ['*'] }] },
      { kind: 'ClusterRoleBinding', roleRef: { apiGroup: rbac, ...role }, subjects },
    ])
      expectStatus(
        await pinion().cluster.client.apply({ apiVersion: `${rbac}/v1`, metadata: { name: role.name }, ...object }),
        [201],
      );
    await pinion().cluster.client.waitFor('the role', async () => (await send('mallory', 'GET', path))[0] === 200);
    const reason =
      /is in none of the groups that may write|only pinion's controller writes the status|new workloads of the cluster get this/;
    await denied('mallory', [pausing, ...attempts], reason);
    await denied('rita', attempts, reason);

    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' };
    for (const [change, refusal] of [
      [{ metadata: { ownerReferences: [owner] } }, /change only spec.paused/],
      [{ metadata: { finalizers: ['example.com/never'] } }, /change only spec.paused/],
      [{ metadata: { annotations: { 'example.com/a': 'b' } } }, /change only spec.paused/],
      [{ spec: { policy: { maxFailures: 1000 } } }, /change only spec.paused|is immutable/],
      [{ spec: { emergency: emergencyFor(25) } }, /at most 24 hours ahead/],
      [{ spec: { emergency: { reason: 'forever', until: '9999-01-01T00:00:00Z' } } }, /at most 24 hours ahead/],
    ] as const)
      await denied('rita', [['PATCH', path, change]], refusal);
    await denied('admin', [['PATCH', path, { spec: { emergency: emergencyFor(25) } }]], /at most 24 hours ahead/);
    expect((await send('rita', 'PATCH', path, { spec: { emergency: emergencyFor(23) } }))[0]).toBe(200);
    expect((await send('rita', 'PATCH', path, { spec: { emergency: null } }))[0]).toBe(200);
    expect((await send('rita', 'PATCH', path, pause(true)))[0]).toBe(200);
    for (const approvedImpact of [`sha256:${'0'.repeat(64)}`, null])
      expect((await send('rita', 'PATCH', path, { spec: { approvedImpact } }))[0]).toBe(200);
    expect((await send('admin', 'PATCH', path, pause(false)))[0]).toBe(200);
    expect(await send('admin', 'PATCH', path, { spec: { revision: 'rev-other' } })).toEqual([
      422,
      expect.stringContaining('is immutable') as string,
    ]);
  }, 60_000);
}
