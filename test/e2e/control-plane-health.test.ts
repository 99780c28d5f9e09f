import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, loadKubeConfig } from '../../lib/kube';
import { controlPlaneProbe } from '../../lib/operations';
import { findBinaries } from '../control-plane/binaries';
import { freePorts } from '../control-plane/ports';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';

/** Returns the JSON response of etcd's gateway. */
async function callGateway(clientPort: number, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${clientPort}/v3${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

describeControlPlane('health of a control plane node', (controlPlane) => {
  const found = findBinaries(['etcd']);
  let folder = '';
  let etcd: ChildProcess | undefined;
  let [clientPort, peerPort, metricsPort] = [0, 0, 0];
  let client: KubeClient;

  beforeAll(async () => {
    if ('skipped' in found) throw new Error(found.skipped);
    folder = mkdtempSync(join(tmpdir(), 'pinion-etcd-'));
    [clientPort = 0, peerPort = 0, metricsPort = 0] = await freePorts(3);
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
    etcd = spawn(
      found.paths.etcd,
      [
        `--data-dir=${folder}`,
        '--unsafe-no-fsync',
        `--listen-client-urls=${clientUrl}`,
        `--advertise-client-urls=${clientUrl}`,
        `--listen-peer-urls=${peerUrl}`,
        `--initial-advertise-peer-urls=${peerUrl}`,
        `--initial-cluster=default=${peerUrl}`,
        `--listen-metrics-urls=http://127.0.0.1:${metricsPort}`,
      ],
      { stdio: 'ignore' },
    );
    client = connect(loadKubeConfig({ environment: {}, file: controlPlane().kubeconfig }), {
      clock: realClock,
      userAgent: 'health-test',
    });
    await waitFor('etcd to be healthy', async () => (await health()).databases[0]?.unhealthyReason === undefined);
  });
  afterAll(async () => {
    client.close();
    await new Promise((resolve) => {
      etcd?.once('exit', resolve);
      etcd?.kill('SIGKILL');
    });
    rmSync(folder, { recursive: true, force: true });
  });

  const health = () =>
    controlPlaneProbe({ apiServer: () => client, metricsPorts: { main: metricsPort } })({
      member: 'a',
      address: '127.0.0.1',
      databases: ['main'],
    });

  test('reports a healthy node: a ready API server with its version, and an up-to-date leader', async () => {
    const { databases, ...server } = await health();
    expect(server).toEqual({ member: 'a', version: expect.stringMatching(/^v1\.\d+\.\d+/) as unknown });
    expect(databases).toMatchObject([{ database: 'main', alarms: [], learner: false, leader: true }]);
    expect(databases[0]?.applied).toBeGreaterThan(0);
    expect(databases[0]?.applied).toBe(databases[0]?.committed);
  });

  test('names an alarm', async () => {
    const { members } = (await callGateway(clientPort, '/cluster/member/list', {})) as {
      members: readonly { ID: string }[];
    };
    const alarm = { alarm: 'NOSPACE', memberID: members[0]?.ID };
    await callGateway(clientPort, '/maintenance/alarm', { action: 'ACTIVATE', ...alarm });
    expect((await health()).databases).toMatchObject([{ unhealthyReason: 'ALARM NOSPACE', alarms: ['NOSPACE'] }]);
    await callGateway(clientPort, '/maintenance/alarm', { action: 'DEACTIVATE', ...alarm });
    expect((await health()).databases[0]).not.toHaveProperty('unhealthyReason');
  });

  test('reports a member that does not respond as unhealthy', async () => {
    etcd?.kill('SIGSTOP');
    try {
      expect((await health()).databases[0]?.unhealthyReason).toContain('timed out after');
    } finally {
      etcd?.kill('SIGCONT');
    }
  });
});
