import { apiVersion, type ManifestInput } from '../../lib/api';
import { pinion as command } from '../cli/terminal';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { KubectlView } from './kubectl-view';
import { controllerUser, describePinion, isTrue, smallTemplate, workloadOf } from './pinion-suite';

describePinion('the lifecycle of a project and its daemons', (pinion) => {
  const namespace = 'machines';
  const kubectl = new KubectlView(pinion, () => namespace);
  const project = (name: string, spec: Partial<ManifestInput<'Project'>['spec']> = {}): ManifestInput<'Project'> => ({
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: { team: 'platform', ...spec },
  });
  const daemon = (tag = '1.0.0', name = 'agent', project = namespace): ManifestInput<'PinterestDaemon'> => {
    const { spec } = smallTemplate();
    const containers = [{ name: 'app', image: `registry.example.com/agent:${tag}` }];
    return workloadOf('PinterestDaemon', project, name, { template: { spec: { ...spec, containers } } });
  };
  const daemonReady = () => pinion().ready('PinterestDaemon', namespace, 'agent', 120_000);

  test('creates a namespace with a quota, limits and the roles of its members', async () => {
    await pinion().apply(
      project(namespace, {
        infrastructure: true,
        quota: { pods: '50' },
        maxContainer: { memory: '4Gi' },
        members: [
          { kind: 'Group', name: 'machine-operators', role: 'edit' },
          { kind: 'User', name: 'jane', role: 'view' },
        ],
        labels: { 'example.com/division': 'north' },
      }),
    );
    await pinion().ready('Project', '', namespace);
    const namespaceObject = await kubectl.object('namespace', namespace);
    expect(namespaceObject?.metadata.labels).toMatchObject({
      'example.com/division': 'north',
      'pinterest.com/infrastructure': 'true',
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    expect(namespaceObject?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'Project', name: namespace }),
    ]);
    expect((await kubectl.object('quota', 'project'))?.spec).toMatchObject({ hard: { pods: '50' } });
    expect(JSON.stringify((await kubectl.object('limits', 'project'))?.spec)).toContain('"max":{"memory":"4Gi"}');
    expect(await kubectl.names('rolebinding')).toEqual(
      ['deployer', 'members-edit', 'members-view'].map((name) => `rolebinding.rbac.authorization.k8s.io/${name}`),
    );
    const canI = (user: string, ...action: string[]) => kubectl.attempt('auth', 'can-i', ...action, `--as=${user}`);
    expect((await canI('jane', 'get', 'pinterestservices')).stdout.trim()).toBe('yes');
    expect((await canI('jane', 'delete', 'pinterestservices')).stdout.trim()).toBe('no');
    const [row] = await kubectl.table('project', namespace);
    expect(row).toMatchObject({ READY: 'True', TEAM: 'platform' });
  }, 90_000);

  test('a binding to another role is replaced in one reconcile, so that members keep their permissions', async () => {
    await pinion().controller.kill();
    const binding = await kubectl.object('rolebinding', 'members-view');
    await kubectl.run('delete', 'rolebinding', 'members-view');
    const { uid: _, ...metadata } = binding?.metadata as unknown as Record<string, unknown>;
    // As version 0.2.0 bound it.
    const former = {
      ...binding,
      metadata: { ...metadata, resourceVersion: undefined, managedFields: undefined },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    };
    expectStatus(await pinion().cluster.client.create(former as unknown as SendableObject), [201]);
    const mark = pinion().cluster.audit.mark();
    await pinion().replaceController();
    const roleOf = (object: object) => (object as { roleRef?: { name?: string } }).roleRef?.name;
    await kubectl.until('rolebinding', 'members-view', (object) => roleOf(object) === 'pinion-project-view');
    const writes = pinion()
      .cluster.audit.since(mark, { user: controllerUser })
      .filter(({ requestURI, verb }) => requestURI.includes('/rolebindings/members-view') && verb !== 'get');
    expect(writes.map(({ verb, responseStatus }) => [verb, responseStatus?.code])).toEqual([
      ['delete', 200],
      ['patch', 201],
    ]);
  }, 90_000);

  test('a change updates quota and roles of the namespace and removes those no longer specified', async () => {
    await pinion().apply(project(namespace, { infrastructure: true, quota: { pods: '60' } }));
    await kubectl.until('quota', 'project', ({ spec }) => (spec['hard'] as { pods: string }).pods === '60');
    await kubectl.gone('rolebinding', ['rolebinding.rbac.authorization.k8s.io/deployer']);
    await pinion().ready('Project', '', namespace);
    await kubectl.run('delete', 'quota', 'project');
    await kubectl.until('quota', 'project', () => true);
  }, 90_000);

  test('the API server rejects a daemon outside infrastructure projects with the message of pinion check', async () => {
    const visitors = await pinion().project('visitors');
    const rejectedDaemon = daemon('1.0.0', 'agent', visitors);
    // The API server watches the labels of namespaces and sees them later.
    const { client } = pinion().cluster;
    const isRejected = async () => (await client.applyDryRun(rejectedDaemon as SendableObject)).status === 403;
    await client.waitFor('the policy to know the namespace', isRejected);
    const response = await client.apply(rejectedDaemon as SendableObject);
    expect(response.status).toBe(403);
    const documents = [project(visitors), rejectedDaemon].map((document) => JSON.stringify(document)).join('\n---\n');
    const { code, out } = await command(['check', '-', '-o', 'json', '--as-controller'], documents);
    expect(code).not.toBe(0);
    const { problems } = JSON.parse(out) as { readonly problems: readonly { reason: string; remedy: string }[] };
    expect(problems).toHaveLength(1);
    expect(messageOf(response)).toContain(problems[0]?.reason);
    expect(messageOf(response)).toContain(problems[0]?.remedy);
  }, 90_000);

  test('a daemon runs on every node, and kubectl shows the number of nodes', async () => {
    await pinion().apply(daemon());
    const live = await daemonReady();
    expect(live.status).toMatchObject({ desiredNodes: 3, readyNodes: 3, updatedNodes: 3 });
    const [row] = await kubectl.table('pds', 'agent');
    expect(row).toMatchObject({ READY: 'True', DESIRED: '3', READYNODES: '3', UPDATED: '3' });
    expect(await kubectl.run('wait', '--for=condition=Ready', 'pds/agent', '--timeout=30s')).toContain('condition met');
    expect(await kubectl.run('explain', 'pds.spec.pools')).toContain('Node pools to run on');
    expect((await kubectl.run('describe', 'pds', 'agent')).match(/Normal +Ready /g)).toHaveLength(1);
  }, 150_000);

  test('a new image is rolled out node by node, and a new node runs it', async () => {
    const before = await kubectl.uids('agent');
    await pinion().apply(daemon('1.1.0'));
    await daemonReady();
    expect((await kubectl.uids('agent')).some((uid) => before.includes(uid))).toBe(false);
    await pinion().cluster.nodes.add(1);
    const { status } = await pinion().until(
      'PinterestDaemon',
      namespace,
      'agent',
      (live) => live.status?.['readyNodes'] === 4 && isTrue(live, 'Ready'),
      120_000,
    );
    expect(status).toMatchObject({ desiredNodes: 4 });
  }, 240_000);

  test('the restart annotation replaces the pods of a daemon', async () => {
    const before = await kubectl.uids('agent');
    await kubectl.run('annotate', 'pds', 'agent', 'pinterest.com/restarted-at=2026-11-23T10:00:00Z');
    await kubectl.until('daemonset', 'agent', ({ spec }) => JSON.stringify(spec).includes('restarted-at'));
    await waitFor('new pods', async () => (await kubectl.uids('agent')).every((uid) => !before.includes(uid)), {
      timeout: 120_000,
    });
    await daemonReady();
  }, 150_000);

  test('neither a project nor its namespace can be deleted while it has workloads', async () => {
    await pinion().until('Project', '', namespace, ({ status }) => status?.['workloads'] === 1);
    const [row] = await kubectl.table('project', namespace);
    expect(row).toMatchObject({ WORKLOADS: '1' });
    for (const kind of ['project', 'namespace']) {
      const { code, stderr } = await kubectl.attempt('delete', kind, namespace, '--wait=false');
      expect(code).not.toBe(0);
      expect(stderr).toContain(`Project ${namespace} still has 1 workload`);
    }
    expect((await kubectl.object('namespace', namespace))?.metadata.deletionTimestamp).toBeUndefined();
  }, 90_000);

  test('deleting a daemon deletes its pods, and deleting the project deletes its namespace', async () => {
    await kubectl.run('delete', 'pds', 'agent');
    await kubectl.gone('daemonset,pods,controllerrevision');
    await pinion().until('Project', '', namespace, ({ status }) => status?.['workloads'] === 0);
    await kubectl.run('delete', 'project', namespace);
    await waitFor('the namespace to be gone', async () => !(await kubectl.object('namespace', namespace)), {
      timeout: 90_000,
    });
  }, 120_000);

  test('an existing namespace is a NameConflict unless the project adopts it', async () => {
    await kubectl.run('create', 'namespace', 'old-shop');
    await pinion().apply(project('old-shop'));
    const conflicting = await pinion().until('Project', '', 'old-shop', ({ status }) =>
      (status?.conditions ?? []).some(({ reason }) => reason === 'NameConflict'),
    );
    expect(isTrue(conflicting, 'Stalled')).toBe(true);
    expect(JSON.stringify(conflicting.status)).toContain('Namespace old-shop exists and belongs to another client');
    expect((await kubectl.object('namespace', 'old-shop'))?.metadata.ownerReferences).toBeUndefined();
    const uid = (await kubectl.object('namespace', 'old-shop'))?.metadata.uid;
    await pinion().apply(project('old-shop', { adopt: true }));
    await pinion().ready('Project', '', 'old-shop');
    const namespaceObject = await kubectl.object('namespace', 'old-shop');
    expect(namespaceObject?.metadata).toMatchObject({ uid, labels: { 'app.kubernetes.io/managed-by': 'pinion' } });
    // A namespace that existed before the project outlives it.
    expect(namespaceObject?.metadata.ownerReferences).toBeUndefined();
    await kubectl.run('delete', 'project', 'old-shop', '--wait=true');
    expect((await kubectl.object('namespace', 'old-shop'))?.metadata).toMatchObject({ uid });
  }, 120_000);
});
