import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startKubelet } from './start-kubelet';
import { type ReadyControlPlaneNode } from './ready-control-plane-node';

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;

/** Returns the test function, or a skipped test whose title gives the reason. */
function withProgram(name: string, debianPackage: string, title: string, body: () => Promise<void>): void {
  if (hasProgram(name)) test(title, body);
  else test.skip(`${title} (skipped: there is no "${name}"; the Debian package ${debianPackage} provides it)`, body);
}

/** Timeout in milliseconds for scripts that take half a minute on an idle machine. */
const scriptTimeout = 300_000;

const unitFolder = '/etc/systemd/system';

/** Defines tests that programs accept the files that the user data writes. */
export function describeAcceptedFiles(readyNode: () => ReadyControlPlaneNode): void {
  test('kubeadm reports no problem with its configuration', async () => {
    const { code, stdout, stderr } = await readyNode().node.machine.run('kubeadm', [
      ...['config', 'validate', '--config', '/etc/kubernetes/kubeadm.yaml'],
    ]);
    expect([code, stdout, stderr]).toEqual([0, 'ok\n', '']);
  });

  withProgram('cloud-init', 'cloud-init', 'the cloud-init schema accepts the user data', async () => {
    const { folder, resources } = readyNode().stage;
    const userData = gunzipSync(Buffer.from(await resources.userDataOf(readyNode().node.member), 'base64'));
    writeFileSync(join(folder, 'user-data'), userData);
    const result = spawnSync('cloud-init', ['schema', '--config-file', join(folder, 'user-data')], {
      encoding: 'utf8',
    });
    expect([result.status, result.stdout + result.stderr]).toEqual([0, expect.stringMatching(/[Vv]alid/)]);
  });

  withProgram('systemd-analyze', 'systemd', 'systemd accepts every unit on the machine', async () => {
    const { machine } = readyNode().node;
    const units = readdirSync(machine.path(unitFolder)).filter((name) =>
      /^(etcd|pinion|kubelet).*\.(service|timer)$/.test(name),
    );
    expect(units.length).toBeGreaterThan(8);
    const flags = ['verify', '--man=no', '--recursive-errors=no'];
    const result = await machine.run('systemd-analyze', [...flags, ...units.map((name) => `${unitFolder}/${name}`)]);
    expect(result.stdout + result.stderr).toBe('');
  });

  test(
    'rerunning the control plane script changes no file and restarts nothing',
    async () => {
      const { machine } = readyNode().node;
      // Files with keys must not be rewritten: running programs read them at any time.
      const state = (): Promise<string> =>
        machine.runOrThrow(
          ...(['bash', '-c'] as const),
          `find /etc/kubernetes /etc/pinion -type f | sort | xargs sha256sum
          find /etc/kubernetes/pki -type f -printf '%p %i %T@\\n' | sort`,
        );
      const before = await state();
      const { starts } = readyNode().node.init.service('etcd-main.service');
      await readyNode().node.machine.runOrThrow('/opt/pinion/bin/control-plane');
      expect(await state()).toBe(before);
      expect(readyNode().node.init.service('etcd-main.service').starts).toBe(starts);
    },
    scriptTimeout,
  );

  test('the control plane kubelet accepts every flag and every configuration field', async () => {
    const kubelet = startKubelet(readyNode().node.machine);
    await kubelet.whenEnded();
    expect(kubelet.log).toMatch(/containerd\.sock/);
    expect(kubelet.log).not.toMatch(/lenient|unknown flag/);
  });
}
