import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { controlPlaneFiles, workerFiles, workerUserData, type MachineFile } from '../../../../stacks/plan/bootstrap';
import { findBinaries } from '../../../control-plane/binaries';
import { controlPlane, firstControlPlaneNode, spotWorkers } from './example-cluster';
import { machineRoot } from './machine-root';

const controlPlaneNode = controlPlaneFiles(controlPlane, firstControlPlaneNode);
const worker = workerFiles(spotWorkers);
const textOf = (files: readonly MachineFile[], path: string): string =>
  files.find((file) => file.path === path)?.content ?? '';

const folders: string[] = [];
const rooted = (files: readonly MachineFile[]): string => {
  const root = machineRoot(files);
  folders.push(root);
  return root;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

interface RunOutput {
  readonly status: number | null;
  readonly text: string;
}
function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunOutput {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, ...environment },
  });
  return { status, text: `${stdout}${stderr}` };
}

/** Returns the test function, or a skipped test whose title gives the reason. */
const testWith = (missing: string | undefined): ((title: string, body: () => void) => void) =>
  missing === undefined ? test : (title, body) => test.skip(`${title} (skipped: ${missing})`, body);
const withProgram = (name: string) =>
  testWith(run('which', [name]).status === 0 ? undefined : `${name} is not installed`);
const built = findBinaries(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet']);
const programPath = (name: 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kubelet') =>
  'paths' in built ? built.paths[name] : '';
const withBuilt = testWith('skipped' in built ? built.skipped : undefined);

const scripts = [...controlPlaneNode, ...worker].filter(({ content }) =>
  /^#!\/bin\/bash|^# (Shared by|Attaches) /.test(content),
);

test('bash can parse every script', () => {
  expect(scripts.length).toBeGreaterThan(8);
  for (const { path, content } of scripts) {
    const { status, stderr } = spawnSync('bash', ['--norc', '-n'], { input: content, encoding: 'utf8' });
    expect([path, status, stderr]).toEqual([path, 0, '']);
  }
});

withProgram('shellcheck')('shellcheck finds nothing in the scripts', () => {
  for (const { path, content } of scripts) {
    // Scripts source each other by their paths on a machine, so variables are used across files.
    const args = ['--shell=bash', '--exclude=SC1091,SC2154,SC2034', '-'];
    const { status, stdout } = spawnSync('shellcheck', args, { input: content, encoding: 'utf8' });
    expect([path, status, stdout]).toEqual([path, 0, '']);
  }
});

withProgram('systemd-analyze')('systemd accepts every unit', () => {
  for (const files of [controlPlaneNode, worker]) {
    // systemd looks up the programs of units under the given root.
    const programs = ['/usr/local/bin/etcd', '/usr/bin/kubelet', '/bin/sh'];
    const stubs = programs.map((path): MachineFile => ({ path, content: '#!/bin/sh\n', mode: '0755' }));
    const root = rooted([...files, ...stubs]);
    const units = files
      .filter(({ path }) => /^\/etc\/systemd\/system\/[^/]+\.(service|timer)$/.test(path))
      .map(({ path }) => join(root, path));
    const { text } = run('systemd-analyze', [
      'verify',
      '--man=no',
      '--recursive-errors=no',
      `--root=${root}`,
      ...units,
    ]);
    expect(text).toBe('');
  }
});

withProgram('cloud-init')('the cloud-init schema accepts the user data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-user-data-'));
  folders.push(folder);
  writeFileSync(join(folder, 'user-data'), workerUserData(spotWorkers).text);
  const { status, text } = run('cloud-init', ['schema', '--config-file', join(folder, 'user-data')]);
  expect([status, text]).toEqual([0, expect.stringMatching(/[Vv]alid/)]);
});

withBuilt('the kubelet strictly decodes the configuration of control plane nodes and workers', () => {
  const [, , own] = loadAll(textOf(controlPlaneNode, '/etc/pinion/kubeadm.yaml'));
  for (const configuration of [own, loadAll(textOf(worker, '/etc/kubernetes/kubelet.yaml'))[0]]) {
    // A host with cgroups v1 would be rejected for that alone.
    const output = kubeletOutput({ ...(configuration as object), failCgroupV1: false });
    expect(output).not.toMatch(/lenient/);
    expect(output).toMatch(/ca\.crt: no such file|connect to|validate service connection/);
  }
  expect(kubeletOutput({ ...(own as object), failCgroupV1: false, noSuchField: 1 })).toMatch(/lenient decoding/);
});

/**
 * Returns the output of a kubelet that loads a configuration and then fails for lack of privileges in its user
 * namespace.
 */
function kubeletOutput(configuration: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-kubelet-'));
  folders.push(folder);
  const text = JSON.stringify(configuration).replaceAll('/etc/kubernetes', join(folder, 'kubernetes'));
  writeFileSync(join(folder, 'kubelet.yaml'), text);
  const flags = [`--config=${folder}/kubelet.yaml`, `--root-dir=${folder}/root`, `--cert-dir=${folder}/pki`];
  return run('unshare', ['--user', programPath('kubelet'), ...flags]).text;
}

withBuilt('every program supports each flag that is generated for it', () => {
  const cluster = loadAll(textOf(controlPlaneNode, '/etc/pinion/kubeadm.yaml'))[1] as Readonly<
    Record<string, { readonly extraArgs: readonly { readonly name: string }[] }>
  >;
  const unitFlags = (files: readonly MachineFile[], unit: string): string[] =>
    [...textOf(files, `/etc/systemd/system/${unit}`).matchAll(/ --([a-z0-9-]+)=/g)].map((match) => match[1] ?? '');
  const written = {
    'kube-apiserver': cluster['apiServer']?.extraArgs.map(({ name }) => name),
    'kube-controller-manager': cluster['controllerManager']?.extraArgs.map(({ name }) => name),
    'kube-scheduler': cluster['scheduler']?.extraArgs.map(({ name }) => name),
    etcd: unitFlags(controlPlaneNode, 'etcd-main.service'),
    kubelet: [...unitFlags(worker, 'kubelet.service'), 'provider-id', 'hostname-override'],
  } as const;
  for (const [program, names] of Object.entries(written) as [keyof typeof written, readonly string[]][]) {
    const help = run(programPath(program), ['--help']).text;
    expect(names.length).toBeGreaterThan(2);
    expect([program, names.filter((name) => !new RegExp(`^ +--${name}\\b`, 'm').test(help))]).toEqual([program, []]);
  }
});

test('a script stops before any change when a program is missing', () => {
  const root = rooted(worker);
  const script = textOf(worker, '/opt/pinion/bin/worker').replaceAll('/opt/pinion', join(root, 'opt/pinion'));
  const library = join(root, 'opt/pinion/lib/machine.sh');
  const empty = join(root, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'mkdir'), '#!/bin/bash\n');
  chmodSync(join(empty, 'mkdir'), 0o755);
  writeFileSync(library, readFileSync(library, 'utf8').replace('source /etc/', `source ${root}/etc/`));
  const { status, stderr } = spawnSync('/bin/bash', ['--norc', '-s'], {
    input: script,
    encoding: 'utf8',
    env: { PATH: empty },
  });
  expect([status, stderr]).toEqual([1, 'aws not found; add it to the machine image\n']);
});
