import { load } from 'js-yaml';
import { userDataLimit, workerFiles, workerUserData } from '../../../../stacks/plan/bootstrap';
import { spotWorkers } from './example-cluster';
import { expectGolden } from './golden-files';

const textOf = (path: string, spec = spotWorkers): string | undefined =>
  workerFiles(spec).find((one) => one.path === path)?.content;

test('the files of a worker match the golden files', () => {
  expectGolden('worker', workerFiles(spotWorkers));
});

test('the user data of a pool fits, and is deterministic', () => {
  expect(workerUserData(spotWorkers).bytes).toBeLessThanOrEqual(userDataLimit);
  expect(workerUserData(structuredClone(spotWorkers))).toEqual(workerUserData(spotWorkers));
});

test('cloud-init writes every file and starts one unit', () => {
  const { text } = workerUserData(spotWorkers);
  expect(text.startsWith('#cloud-config\n')).toBe(true);
  const config = load(text) as {
    readonly packages: readonly string[];
    readonly write_files: readonly { readonly path: string; readonly permissions: string; readonly content: string }[];
    readonly runcmd: readonly (readonly string[])[];
  };
  expect(config.packages).toEqual(['chrony', 'logrotate']);
  expect(config.write_files).toEqual(
    workerFiles(spotWorkers).map(({ path, mode, content }) => ({ path, permissions: mode, content })),
  );
  expect(config.runcmd.at(-1)).toEqual(['systemctl', 'enable', '--now', '--no-block', 'pinion-worker.service']);
});

test('a kubelet registers with the labels and taints of its pool', () => {
  expect(textOf('/etc/systemd/system/kubelet.service')).toContain('--node-labels=pinion/pool=spot');
  const configuration = load(textOf('/etc/kubernetes/kubelet.yaml') ?? '') as Record<string, unknown>;
  expect(configuration['registerWithTaints']).toEqual([{ key: 'pinion/spot', value: 'true', effect: 'NoSchedule' }]);
  expect(configuration['maxPods']).toBe(110);
});

test('kubelet overrides take precedence', () => {
  const kubelet = { ...spotWorkers.kubelet, overrides: { failCgroupV1: false, maxPods: 10 } };
  const configuration = load(textOf('/etc/kubernetes/kubelet.yaml', { ...spotWorkers, kubelet }) ?? '');
  expect(configuration).toMatchObject({ failCgroupV1: false, maxPods: 10 });
});

test('a pool without registries has no credential provider', () => {
  const { imageRegistries: _none, ...plain } = spotWorkers;
  expect(textOf('/etc/kubernetes/image-credentials.yaml', plain)).toBeUndefined();
  expect(textOf('/etc/systemd/system/kubelet.service', plain)).not.toContain('image-credential');
});
