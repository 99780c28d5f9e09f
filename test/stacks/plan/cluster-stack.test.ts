import { gunzipSync } from 'node:zlib';
import { planCapacity, type CapacityInput } from '@pinion-platform/pinion';
import { formatPath } from '@pinion-platform/pinion/api';
import {
  parseCluster,
  safePlanClusterStack,
  loadOf,
  plannedCapacity,
  planClusterStack,
  planPlatformStack,
  platformInputsOf,
} from '../../../stacks/plan';
import { reservedResources } from '../../../stacks/plan/machines/reserved-resources';
import { plainCluster } from './make-cluster';
import { plainPlatformInput } from './platform/make-platform-input';

const textOf = (base64: string): string => gunzipSync(Buffer.from(base64, 'base64')).toString('utf8');
const wrong = (own: object): string[] =>
  safePlanClusterStack({ ...plainCluster, ...own }).problems.map(({ path, reason }) => `${formatPath(path)} ${reason}`);
const withLoad = (load: object) => ({ ...plainCluster, load: { ...plainCluster.load, ...load } });

test('sizes are those of the capacity plan for the same load', () => {
  const { capacity } = planClusterStack(plainCluster);
  const planned = planCapacity(loadOf(parseCluster(plainCluster)) as CapacityInput);
  expect(capacity).toEqual(plannedCapacity(planned));
  expect(capacity.controlPlaneInstanceType).toBe(planned.values.controlPlaneInstanceType.value);
  expect(capacity.etcd.map(({ etcd }) => etcd)).toEqual(['main', 'events']);
  expect(capacity.etcd[0]?.gib).toBe(planned.values.etcdVolumeGib.value);
  expect(capacity.nodeGroups.map(({ max }) => max)).toEqual(planned.nodeGroups.map(({ max }) => max.value));
});

test('an override applies to its machine', () => {
  const overrides = { maxRequestsInflight: 777, controlPlaneInstanceType: 'm6i.8xlarge', etcdVolumeGib: 99 };
  const { plan } = planClusterStack(withLoad({ overrides }));
  for (const { launchTemplate, volumes } of plan.controlPlane) {
    expect(textOf(launchTemplate.args.userData)).toMatch(/name: max-requests-inflight\s+value: ['"]?777/);
    expect(launchTemplate.args.instanceType).toBe('m6i.8xlarge');
    expect(volumes.map(({ args }) => args.size)[0]).toBe(99);
  }
});

describe('a pool of arm64 machines', () => {
  const pod = { kind: 'general', cores: 0.5, memoryGib: 1 } as const;
  const mix = {
    web: { ...pod, share: 0.6 },
    arm: { ...pod, architecture: 'arm64', share: 0.35 },
    train: { ...pod, kind: 'accelerator', accelerators: 1, share: 0.05 },
  } as const;

  test('requires an image of its own', () => {
    expect(wrong(withLoad({ mix }))).toEqual([
      'pools.arm.image is missing: images.worker is for amd64, and the machines of the pool are arm64',
    ]);
  });

  test('has that image, arm64 instance types, and a taint', () => {
    const image = 'ami-0aaaaaaaaaaaaaaaa';
    const { plan, capacity } = planClusterStack({ ...withLoad({ mix }), pools: { arm: { image } } });
    expect(capacity.nodeGroups.map(({ pool, desired }) => [pool, desired])).toEqual([
      ['web', 166],
      ['arm', 97],
      ['train', 38],
    ]);
    const arm = plan.nodeGroups.find(({ pool }) => pool === 'arm');
    expect(arm?.launchTemplate.args).toMatchObject({ imageId: image, instanceType: 'c6g.4xlarge' });
    expect(textOf(arm?.launchTemplate.args.userData ?? '')).toMatch(/key: kubernetes.io\/arch\s+value: arm64/);
    const others = plan.nodeGroups.filter(({ pool }) => pool !== 'arm');
    for (const { launchTemplate } of others)
      expect(textOf(launchTemplate.args.userData)).not.toContain('kubernetes.io/arch');
  });
});

test('each machine has its own identity', () => {
  const { plan } = planClusterStack(plainCluster);
  const texts = plan.controlPlane.map(({ launchTemplate }) => textOf(launchTemplate.args.userData));
  plan.controlPlane.forEach(({ address }, index) => expect(texts[index]).toContain(`ADDRESS=${address}\n`));
  expect(new Set(texts).size).toBe(3);
  for (const { pool, launchTemplate } of plan.nodeGroups)
    expect(textOf(launchTemplate.args.userData)).toContain(`pinion/pool=${pool}`);
});

test('OIDC login is configured as described, with the prefix in front of group names', () => {
  const oidc = { issuer: 'https://login.example.com', clientId: 'kubernetes', adminGroups: ['platform'] };
  const { plan } = planClusterStack({ ...plainCluster, oidc });
  const text = textOf(plan.controlPlane[0]?.launchTemplate.args.userData ?? '');
  expect(text).toContain('url: https://login.example.com');
  expect(text).toContain('name: oidc:platform');
});

test('reports problems with addresses, names, load and flags together, at their paths in the configuration', () => {
  const load = { nodes: 0, pods: 10 };
  const messages = wrong({ zones: ['us-east-1a', 'us-east-1b'], name: 'internal-a', load });
  expect(messages.join('\n')).toMatch(/^zones /m);
  expect(messages.join('\n')).toMatch(/^name /m);
  expect(messages.join('\n')).toMatch(/^load\.nodes /m);
});

test('rejects a flag that the version has removed, at its path', () => {
  const flags = { 'kube-apiserver': { 'target-ram-mb': '1000' } };
  expect(wrong(withLoad({ flags }))).toContainEqual(
    expect.stringMatching(/^load\.flags\.kube-apiserver\.target-ram-mb /),
  );
});

test('rejects a flag that the bootstrap of control plane nodes sets, at its path', () => {
  const flags = { 'kube-apiserver': { 'etcd-servers': 'https://elsewhere:2379' } };
  expect(wrong(withLoad({ flags }))).toContainEqual(
    expect.stringMatching(/^load\.flags\.kube-apiserver\.etcd-servers /),
  );
});

test('rejects labels that a kubelet may not set, at their pool', () => {
  const pools = { general: { labels: { 'node-role.kubernetes.io/worker': '' } } };
  expect(wrong({ pools })).toContainEqual(expect.stringMatching(/^pools\.general\.labels/));
});

test.each([
  [2, 110, '70m', '1465Mi'],
  [4, 58, '80m', '893Mi'],
  [8, 58, '90m', '893Mi'],
  [96, 110, '310m', '1465Mi'],
])('with %i CPUs and %i pods, reserves as much as EKS nodes', (cores, pods, cpu, memory) => {
  expect(reservedResources({ cores }, pods).kubeReserved).toEqual({ cpu, memory });
});

test('the platform passes the planned flags to the cluster autoscaler, including overrides', () => {
  const created = {
    zoneId: 'Z0123456789ABCDEFGHIJ',
    keyArn: plainPlatformInput.volumeKey ?? '',
    roles: plainPlatformInput.roles,
  };
  const { controllerImage, nodeLifecycleImage, platform } = plainPlatformInput;
  const argsFor = (load: object, bounds: object = {}): string[] => {
    const inputs = platformInputsOf(planClusterStack(withLoad(load)), created);
    const objects = planPlatformStack({ ...inputs, controllerImage, nodeLifecycleImage, platform, bounds }).flatMap(
      (stage) => stage.objects,
    );
    const text = JSON.stringify(objects.filter(({ metadata }) => metadata.name === 'cluster-autoscaler'));
    return [...text.matchAll(/"--([^"]*)"/g)].map(([, flag = '']) => flag);
  };
  const overrides = { autoscalerMaxNodes: 320, autoscalerMaxMemoryGib: 5000, autoscalerScanSeconds: 45 };
  for (const load of [{}, { nodes: 2000, pods: 40_000 }, { overrides }]) {
    const { flags } = planCapacity(loadOf(parseCluster(withLoad(load))) as CapacityInput);
    const planned = Object.entries(flags['cluster-autoscaler']).map(([name, value]) => `${name}=${value}`);
    expect(argsFor(load)).toEqual(expect.arrayContaining(planned));
    expect(planned).toContainEqual(expect.stringMatching(/^scan-interval=/));
  }
  expect(argsFor({ overrides })).toContain('max-nodes-total=320');
  expect(argsFor({ overrides }, { nodes: 310 })).toContain('max-nodes-total=310');
});

test('passes the limits of the autoscaler to the platform', () => {
  const stack = planClusterStack(plainCluster);
  const created = { zoneId: 'Z1', keyArn: 'arn:aws:kms:us-east-1:123456789012:key/1', roles: plainPlatformInput.roles };
  const { controlPlane, nodeGroups } = platformInputsOf(stack, created);
  expect(controlPlane.count).toBe(3);
  expect(nodeGroups.map(({ group, max }) => [group, max])).toEqual(
    stack.plan.nodeGroups.map(({ group }) => [group.args.name, group.args.maxSize]),
  );
  for (const { cpus, memoryGib } of nodeGroups) expect(Math.min(cpus, memoryGib)).toBeGreaterThan(1);
});

test('passes the artifact store of the cluster to its submission service', () => {
  const artifacts = { store: 's3://shop-artifacts/store', verificationStore: 's3://shop-witness' };
  const created = { zoneId: 'Z1', keyArn: plainPlatformInput.volumeKey ?? '', roles: plainPlatformInput.roles };
  const { controllerImage, nodeLifecycleImage, platform, submission } = plainPlatformInput;
  const own = { controllerImage, nodeLifecycleImage, platform, ...(submission && { submission }) };
  const inputsWith = (more: object) => platformInputsOf(planClusterStack({ ...plainCluster, ...more }), created);
  const text = JSON.stringify(planPlatformStack({ ...inputsWith({ artifacts }), ...own }).at(-1)?.objects);
  for (const location of Object.values(artifacts)) expect(text).toContain(location);
  expect(() => planPlatformStack({ ...inputsWith({}), ...own })).toThrow(
    'needs an artifact store, but the cluster configuration has none',
  );
});

test('a cluster with a client monitor sends its audit events, and lets the platform stack install it', () => {
  const created = { zoneId: 'Z1', keyArn: plainPlatformInput.volumeKey ?? '', roles: plainPlatformInput.roles };
  const stackWith = (clientMonitor: 'off' | 'machine') => planClusterStack({ ...plainCluster, clientMonitor });
  expect(platformInputsOf(stackWith('off'), created).auditEvents).toBeUndefined();
  expect(platformInputsOf(stackWith('machine'), created).auditEvents).toBe(true);
  const { controllerImage, nodeLifecycleImage, platform } = plainPlatformInput;
  const own = { controllerImage, nodeLifecycleImage, platform };
  const clientMonitorImage = 'registry.example.com/pinion/client-monitor:1.0.0';
  const planned = planPlatformStack({ ...platformInputsOf(stackWith('machine'), created), ...own, clientMonitorImage });
  const daemon = planned
    .flatMap(({ objects }) => objects)
    .find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === 'pinion-client-monitor');
  expect(JSON.stringify(daemon)).toContain(clientMonitorImage);
});
