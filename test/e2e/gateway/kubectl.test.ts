import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../../control-plane/api-response';
import { type CommandResult } from '../../control-plane/command';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { gatewayToken, TestGateway } from './test-gateway';

const apiGroup = 'rbac.authorization.k8s.io';

describeControlPlane('kubectl through the gateway', (controlPlane) => {
  let gateway: TestGateway;
  let kubeconfig: string;
  const kubectl = (args: readonly string[], stdin?: string): Promise<CommandResult> =>
    controlPlane().kubectl(args, stdin, kubeconfig);

  beforeAll(async () => {
    const token = await gatewayToken(controlPlane(), 'operator');
    const { client, folder } = controlPlane();
    const subjects = [{ kind: 'ServiceAccount', name: 'operator', namespace: 'default' }];
    const roleRef = { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' };
    const binding = {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'operator' },
      roleRef,
      subjects,
    };
    expectStatus(await client.apply(binding), [200, 201]);
    expectStatus(
      await client.apply({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: 'default' },
      }),
      [200, 201],
    );
    gateway = await TestGateway.start(controlPlane(), [
      { group: '', version: 'v1', plural: 'pods' },
      { group: '', version: 'v1', plural: 'namespaces' },
    ]);
    kubeconfig = join(folder, 'gateway.kubeconfig');
    const authority = Buffer.from(gateway.authority.certificate).toString('base64');
    const cluster = { server: `https://localhost:${gateway.gateway.port}`, 'certificate-authority-data': authority };
    const named = (key: string, value: object): object => ({ name: 'gateway', [key]: value });
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [named('cluster', cluster)],
        users: [named('user', { token })],
        contexts: [named('context', { cluster: 'gateway', user: 'gateway' })],
        'current-context': 'gateway',
      }),
      { mode: 0o600 },
    );
  }, 60_000);
  afterAll(() => gateway.stop());

  const pod = (name: string, app: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: { app } },
      spec: { containers: [{ name: 'app', image: 'example.com/app:1' }] },
    });

  test('applies, gets in each format, describes and deletes', async () => {
    expect(await kubectl(['apply', '-f', '-'], pod('one', 'web'))).toMatchObject({
      code: 0,
      stdout: 'pod/one created\n',
    });
    expect(await kubectl(['apply', '-f', '-'], pod('one', 'api'))).toMatchObject({
      code: 0,
      stdout: 'pod/one configured\n',
    });
    expect((await kubectl(['get', 'pods'])).stdout).toMatch(/^NAME +READY +STATUS.*\none +0\/1 +Pending/);
    expect((await kubectl(['get', 'pod', 'one', '-o', 'yaml'])).stdout).toContain('app: api');
    expect((await kubectl(['get', 'pods', '-l', 'app=api', '-o', 'name'])).stdout).toBe('pod/one\n');
    expect((await kubectl(['describe', 'pod', 'one'])).stdout).toContain('Labels:           app=api');
    expect(await kubectl(['delete', 'pod', 'one', '--grace-period=0', '--force', '--wait=true'])).toMatchObject({
      code: 0,
    });
    expect((await kubectl(['get', 'pod', 'one'])).stderr).toContain('pods "one" not found');
  });

  test('watches until an object is there', async () => {
    const waiting = kubectl(['wait', '--for=create', 'pod/later', '--timeout=20s']);
    await kubectl(['create', '-f', '-'], pod('later', 'web'));
    expect(await waiting).toMatchObject({ code: 0 });
  });

  test('says in the words of the API server what is wrong', async () => {
    expect(await kubectl(['create', '-f', '-'], pod('Wrong', 'web'))).toMatchObject({ code: 1 });
    expect((await kubectl(['get', 'pods', '-l', 'a=b=c'])).stderr).toContain("found '=', expected: ','");
    expect((await kubectl(['get', 'pods', '--as', 'somebody'])).stderr).toContain('does not pass impersonation on');
    expect((await kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'])).stdout).toBe(
      'system:serviceaccount:default:operator',
    );
  });

  test('acts as its user, with the groups of its user, in the audit log', async () => {
    const mark = controlPlane().audit.mark();
    await kubectl(['get', 'serviceaccounts']);
    await waitFor(
      'the record',
      async () => controlPlane().audit.since(mark, { resource: 'serviceaccounts' }).length > 0,
    );
    expect(controlPlane().audit.since(mark, { resource: 'serviceaccounts' })[0]).toMatchObject({
      verb: 'list',
      impersonatedUser: { username: 'system:serviceaccount:default:operator' },
    });
  });
});
