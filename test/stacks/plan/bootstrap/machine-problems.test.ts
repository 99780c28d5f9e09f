import { ownedFlags } from '@pinion-platform/pinion';
import { apiServerFlags, servingFlags } from '../../../../stacks/plan/bootstrap/control-plane/kubeadm-configuration';
import { controlPlaneProblems, workerProblems, type ControlPlaneSpec } from '../../../../stacks/plan/bootstrap';
import { controlPlane, spotWorkers } from './example-cluster';

const pathsOf = (spec: ControlPlaneSpec): string[] => controlPlaneProblems(spec).map(({ path }) => path.join('.'));
const [first, ...others] = controlPlane.members;
if (!first) throw new Error('the example has no control plane nodes');

test('valid input has no problems', () => {
  expect(controlPlaneProblems(controlPlane)).toEqual([]);
  expect(workerProblems(spotWorkers)).toEqual([]);
});

test('rejects flags that the bootstrap sets, wherever they are planned', () => {
  const flags = {
    'kube-apiserver': { ...controlPlane.flags['kube-apiserver'], 'etcd-servers': 'https://elsewhere:2379' },
    'kube-controller-manager': { 'bind-address': '0.0.0.0' },
    'kube-scheduler': { 'bind-address': '0.0.0.0' },
  };
  const etcds = [{ name: 'main' as const, flags: { 'initial-cluster-state': 'existing', 'data-dir': '/tmp' } }];
  expect(pathsOf({ ...controlPlane, flags, etcds })).toEqual([
    'flags.kube-apiserver.etcd-servers',
    'flags.kube-controller-manager.bind-address',
    'flags.kube-scheduler.bind-address',
    'etcds.0.flags.initial-cluster-state',
    'etcds.0.flags.data-dir',
  ]);
});

test('a capacity plan rejects every flag that the bootstrap sets', () => {
  const files = apiServerFlags(controlPlane, first);
  expect(ownedFlags('kube-apiserver')).toEqual(expect.arrayContaining(Object.keys(files)));
  expect(ownedFlags('kube-scheduler')).toEqual(Object.keys(servingFlags(first)));
  expect(ownedFlags('kube-controller-manager')).toEqual(Object.keys(servingFlags(first)));
});

test('requires the admission plugins that control plane nodes are configured for', () => {
  const withPlugins = (plugins: Readonly<Record<string, string>>) =>
    controlPlaneProblems({ ...controlPlane, flags: { ...controlPlane.flags, 'kube-apiserver': plugins } });
  expect(withPlugins({}).map(({ remedy }) => remedy)).toEqual(['add NodeRestriction', 'add EventRateLimit']);
  expect(withPlugins({ 'enable-admission-plugins': 'EventRateLimit' }).map(({ remedy }) => remedy)).toEqual([
    'add NodeRestriction',
  ]);
});

test('rejects two nodes, a shared address and an invalid subnet together', () => {
  const twin = { ...first, name: 'b', subnet: '10.0.1.10' };
  expect(pathsOf({ ...controlPlane, members: [first, twin] })).toEqual([
    'members',
    'members.1.subnet',
    'members.1.address',
  ]);
});

test('rejects a control plane node that could not find its interface or a volume', () => {
  const lost = { ...first, interfaceTags: {}, volumeTags: { main: first.volumeTags.main ?? {} } };
  expect(pathsOf({ ...controlPlane, members: [lost, ...others] })).toEqual([
    'members.0.volumeTags.events',
    'members.0.interfaceTags',
  ]);
});

test('requires the main etcd to be first', () => {
  expect(pathsOf({ ...controlPlane, etcds: controlPlane.etcds.toReversed() })).toEqual(['etcds.0.name']);
});

test('rejects labels that a kubelet may not set, and accepts all others', () => {
  const labels = {
    'node-role.kubernetes.io/worker': '',
    'kubernetes.io/role': 'node',
    'x.k8s.io/y': '',
    'node.kubernetes.io/pool': 'spot',
    'kubernetes.io/os': 'linux',
    'example.com/disk': 'nvme',
    mykubernetes: '',
  };
  expect(workerProblems({ ...spotWorkers, labels }).map(({ path }) => path[1])).toEqual([
    'node-role.kubernetes.io/worker',
    'kubernetes.io/role',
    'x.k8s.io/y',
  ]);
});

test('reports user data that exceeds the EC2 limit', () => {
  const noise = Array.from({ length: 9000 }, (_, index) => ((index * 2654435761) >>> 0).toString(36)).join('');
  const host = { ...controlPlane.host, files: { '/etc/noise': noise } };
  expect(pathsOf({ ...controlPlane, host })).toEqual(['members.0', 'members.1', 'members.2']);
  expect(workerProblems({ ...spotWorkers, host })).toHaveLength(1);
});
