import { readFileSync } from 'node:fs';
import { expectStatus } from '../control-plane/api-response';
import { waitFor } from '../control-plane/wait-for';
import { type ReadyControlPlaneNode } from './ready-control-plane-node';
import { flagsOf, plannedFlags } from './planned-flags';

/** Defines tests that a control plane node matches its plan. */
export function describePlannedState(readyNode: () => ReadyControlPlaneNode): void {
  test('its user data attaches the persistent resources: the planned address, and a file system for each etcd cluster', async () => {
    const { interfaces, volumes } = await readyNode().stage.resources.attachedTo(readyNode().node.instance.id);
    expect([interfaces.length, volumes.length]).toEqual([1, 2]);
    const links = await readyNode().node.machine.runOrThrow('ip', '-oneline', 'address', 'show', 'dev', 'eth1');
    expect(links).toContain(`inet ${readyNode().planned.spec.members[0]?.address}/32`);
    for (const name of ['main', 'events'])
      expect(
        await readyNode().node.machine.runOrThrow(
          'findmnt',
          '--noheadings',
          '--output',
          'FSTYPE',
          `/var/lib/etcd/${name}`,
        ),
      ).toBe('ext4\n');
  });

  test('kubeadm configures the kubelet and starts it; the kubelet does not run here, because it needs a container runtime', () => {
    expect(readyNode().node.init.started).toContain('kubelet.service');
    expect(readyNode().node.machine.read('/var/lib/kubelet/kubeadm-flags.env')).toContain(
      `/${readyNode().node.instance.id}`,
    );
    expect(readyNode().node.machine.read('/var/lib/kubelet/config.yaml')).toContain('kind: KubeletConfiguration');
    expect(readyNode().node.init.started).toEqual(
      expect.arrayContaining(['pinion-post-bootstrap.timer', 'pinion-snapshot.timer']),
    );
  });

  test('both etcd clusters and the three Kubernetes programs run with exactly the planned flags', () => {
    const { spec } = readyNode().planned;
    const [member] = spec.members;
    if (!member) throw new Error('no member');
    for (const [name, flags] of Object.entries(plannedFlags(spec, member))) {
      const isUnit = name.endsWith('.service');
      const running = isUnit
        ? readyNode().node.init.service(name).process
        : readyNode().node.pods.running(name).process;
      const actualFlags = flagsOf(running.words);
      for (const [flag, value] of Object.entries(flags))
        expect([name, flag, actualFlags[flag]]).toEqual([name, flag, [value]]);
      expect([name, Object.entries(actualFlags).filter(([, values]) => values.length > 1)]).toEqual([name, []]);
      if (isUnit) expect([name, Object.keys(actualFlags).sort()]).toEqual([name, Object.keys(flags).sort()]);
    }
    const api = readFileSync(
      `/proc/${readyNode().node.pods.running('kube-apiserver').process.pid}/environ`,
      'utf8',
    ).split('\0');
    for (const [name, value] of Object.entries(spec.apiServerEnvironment)) expect(api).toContain(`${name}=${value}`);
  });

  test('the API server reports the planned minor version', async () => {
    const { body } = expectStatus(await readyNode().admin.request('GET', '/version'), [200]);
    const { major, minor } = body as { readonly major: string; readonly minor: string };
    expect(readyNode().planned.spec.cluster.kubernetesVersion.split('.').slice(0, 2)).toEqual([major, minor]);
  });

  test('the controller manager and the scheduler of this node hold their leases', async () => {
    for (const name of ['kube-controller-manager', 'kube-scheduler']) {
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace: 'kube-system', name },
      };
      const response = expectStatus(await readyNode().admin.get(lease), [200]);
      expect((response.body as { spec: { holderIdentity: string } }).spec.holderIdentity).toContain(
        readyNode().node.instance.id,
      );
    }
  });

  test('metrics show the planned seats of every priority level', async () => {
    const seats = async (): Promise<Readonly<Record<string, number>>> => {
      const { body } = expectStatus(await readyNode().admin.request('GET', '/metrics'), [200]);
      const lines = String(body).matchAll(
        /^apiserver_flowcontrol_nominal_limit_seats\{priority_level="([^"]+)"\} (\d+)$/gm,
      );
      return Object.fromEntries([...lines].map(([, level = '', count]) => [level, Number(count)]));
    };
    const plannedSeats = readyNode().planned.capacity.seats;
    await waitFor('the priority level of expensive lists', async () => 'heavy-lists' in (await seats()));
    const { exempt: _exempt, ...reportedSeats } = await seats();
    expect(reportedSeats).toEqual(plannedSeats);
  });
}
