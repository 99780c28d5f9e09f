import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startKubelet } from './kubelet-trial';
import { type MadeMaster } from './made-control-plane-node';

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;

/** The test, or one that is skipped and says why. */
function withProgram(name: string, debianPackage: string, title: string, body: () => Promise<void>): void {
  if (hasProgram(name)) test(title, body);
  else test.skip(`${title} (skipped: there is no "${name}"; the Debian package ${debianPackage} brings it)`, body);
}

/** Milliseconds for a script that takes half a minute where nothing else is done. */
const patience = 300_000;

const unitFolder = '/etc/systemd/system';

/** Defines the tests of what reads the files that user data writes. */
export function acceptedFiles(given: () => MadeMaster): void {
  test('kubeadm finds nothing to remark in its configuration', async () => {
    const { code, stdout, stderr } = await given().master.machine.run('kubeadm', [
      ...['config', 'validate', '--config', '/etc/kubernetes/kubeadm.yaml'],
    ]);
    expect([code, stdout, stderr]).toEqual([0, 'ok\n', '']);
  });

  withProgram('cloud-init', 'cloud-init', "cloud-init's schema accepts the user data", async () => {
    const { folder, resources } = given().stage;
    const userData = gunzipSync(Buffer.from(await resources.userDataOf(given().master.member), 'base64'));
    writeFileSync(join(folder, 'user-data'), userData);
    const said = spawnSync('cloud-init', ['schema', '--config-file', join(folder, 'user-data')], { encoding: 'utf8' });
    expect([said.status, said.stdout + said.stderr]).toEqual([0, expect.stringMatching(/[Vv]alid/)]);
  });

  withProgram('systemd-analyze', 'systemd', 'systemd accepts every unit on the machine', async () => {
    const { machine } = given().master;
    const units = readdirSync(machine.path(unitFolder)).filter((name) =>
      /^(etcd|pinion|kubelet).*\.(service|timer)$/.test(name),
    );
    expect(units.length).toBeGreaterThan(8);
    const flags = ['verify', '--man=no', '--recursive-errors=no'];
    const said = await machine.run('systemd-analyze', [...flags, ...units.map((name) => `${unitFolder}/${name}`)]);
    expect(said.stdout + said.stderr).toBe('');
  });

  test(
    'run again, the script of a master changes no file and starts nothing anew',
    async () => {
      const { machine } = given().master;
      // What holds keys must not even be written anew: programs that run read it at any time.
      const state = (): Promise<string> =>
        machine.demand(
          ...(['bash', '-c'] as const),
          `find /etc/kubernetes /etc/pinion -type f | sort | xargs sha256sum
          find /etc/kubernetes/pki -type f -printf '%p %i %T@\\n' | sort`,
        );
      const before = await state();
      const { starts } = given().master.init.service('etcd-main.service');
      await given().master.machine.demand('/opt/pinion/bin/control-plane');
      expect(await state()).toBe(before);
      expect(given().master.init.service('etcd-main.service').starts).toBe(starts);
    },
    patience,
  );

  test('the kubelet of a master takes every word and every field of its configuration', async () => {
    const kubelet = startKubelet(given().master.machine);
    await kubelet.whenEnded();
    expect(kubelet.said).toMatch(/containerd\.sock/);
    expect(kubelet.said).not.toMatch(/lenient|unknown flag/);
  });
}
