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
  else test.skip(`${title} (skipped: there is no "${name}"; the Debian package ${debianPackage} brings it)`, body);
}

/** Timeout in milliseconds for scripts that take half a minute on an idle machine. */
const patience = 300_000;

const unitFolder = '/etc/systemd/system';

/** Defines the tests in which the programs accept the files that user data writes. */
export function describeAcceptedFiles(given: () => ReadyControlPlaneNode): void {
  test('kubeadm reports no problem with its configuration', async () => {
    const { code, stdout, stderr } = await given().node.machine.run('kubeadm', [
      ...['config', 'validate', '--config', '/etc/kubernetes/kubeadm.yaml'],
    ]);
    expect([code, stdout, stderr]).toEqual([0, 'ok\n', '']);
  });

  withProgram('cloud-init', 'cloud-init', 'the cloud-init schema accepts the user data', async () => {
    const { folder, resources } = given().stage;
    const userData = gunzipSync(Buffer.from(await resources.userDataOf(given().node.member), 'base64'));
    writeFileSync(join(folder, 'user-data'), userData);
    const said = spawnSync('cloud-init', ['schema', '--config-file', join(folder, 'user-data')], { encoding: 'utf8' });
    expect([said.status, said.stdout + said.stderr]).toEqual([0, expect.stringMatching(/[Vv]alid/)]);
  });

  withProgram('systemd-analyze', 'systemd', 'systemd accepts every unit on the machine', async () => {
    const { machine } = given().node;
    const units = readdirSync(machine.path(unitFolder)).filter((name) =>
      /^(etcd|pinion|kubelet).*\.(service|timer)$/.test(name),
    );
    expect(units.length).toBeGreaterThan(8);
    const flags = ['verify', '--man=no', '--recursive-errors=no'];
    const said = await machine.run('systemd-analyze', [...flags, ...units.map((name) => `${unitFolder}/${name}`)]);
    expect(said.stdout + said.stderr).toBe('');
  });

  test(
    'rerunning the control plane script changes no file and restarts nothing',
    async () => {
      const { machine } = given().node;
      // Files with keys must not be rewritten: running programs read them at any time.
      const state = (): Promise<string> =>
        machine.demand(
          ...(['bash', '-c'] as const),
          `find /etc/kubernetes /etc/pinion -type f | sort | xargs sha256sum
          find /etc/kubernetes/pki -type f -printf '%p %i %T@\\n' | sort`,
        );
      const before = await state();
      const { starts } = given().node.init.service('etcd-main.service');
      await given().node.machine.demand('/opt/pinion/bin/control-plane');
      expect(await state()).toBe(before);
      expect(given().node.init.service('etcd-main.service').starts).toBe(starts);
    },
    patience,
  );

  test('the control plane kubelet accepts every flag and every configuration field', async () => {
    const kubelet = startKubelet(given().node.machine);
    await kubelet.whenEnded();
    expect(kubelet.said).toMatch(/containerd\.sock/);
    expect(kubelet.said).not.toMatch(/lenient|unknown flag/);
  });
}
