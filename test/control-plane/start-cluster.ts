import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from './api-response';
import { controllerManagerArguments, kwokArguments, schedulerArguments } from './cluster-arguments';
import { type Cluster, type ClusterOptions } from './cluster';
import { createNamespace, waitUntilNamespaceWorks } from './namespaces';
import { freePorts } from './ports';
import { probe } from './probe';
import { RunningControlPlane, memoryLimit } from './running-control-plane';
import { type NodeShape, SimulatedNodes } from './simulated-nodes';
import { simulationDocuments } from './simulation';
import { retryOnPortConflict } from './start-control-plane';

/** Users of the servers, so that the audit log distinguishes them from the users under test. */
const partUsers = ['system:kube-controller-manager', 'system:kube-scheduler', 'kwok'] as const;

/**
 * Starts a complete cluster and waits until pods can run on its nodes. Throws, with the folder of the kept logs, on
 * failure.
 */
export function startCluster(options: ClusterOptions): Promise<Cluster> {
  return retryOnPortConflict(() => startOnce(options));
}

async function startOnce(options: ClusterOptions): Promise<Cluster> {
  const users = [...partUsers.map((name) => ({ name, groups: ['system:masters'] })), ...(options.users ?? [])];
  const running = await RunningControlPlane.start({ ...options, users });
  const nodes = new SimulatedNodes(running.client);
  await running.stopOnFailure(async () => {
    await startParts(running, options);
    expectStatus(await running.client.apply(storageClass), [200, 201]);
    await running.ready(options.timeout);
    await nodes.add(options.nodes ?? 3, options.nodeShape ?? inThreeZones);
    await waitUntilNamespaceWorks(running.client, 'default');
  });
  return Object.assign(running, {
    nodes,
    namespace: (prefix?: string, labels?: Readonly<Record<string, string>>) =>
      createNamespace(running.client, prefix, labels),
  });
}

async function startParts(
  running: RunningControlPlane,
  { paths, controllerManagerFlags = [], schedulerFlags = [], checksPolicyTypes = false }: ClusterOptions,
): Promise<void> {
  const [managerPort = 0, schedulerPort = 0, kwokPort = 0] = await freePorts(3);
  const { credentials, folder } = running;
  const [managerLogin = '', schedulerLogin = '', kwokLogin = ''] = partUsers.map((user) =>
    running.kubeconfigFor({ user }),
  );
  const managerFlags = controllerManagerArguments(credentials, managerLogin, managerPort, checksPolicyTypes);
  running.startPart({
    name: 'kube-controller-manager',
    program: paths['kube-controller-manager'],
    args: () => [...managerFlags, ...controllerManagerFlags],
    environment: memoryLimit(1500),
    isReady: () => probe(`https://127.0.0.1:${managerPort}/healthz`, credentials.authorityFile),
  });
  running.startPart({
    name: 'kube-scheduler',
    program: paths['kube-scheduler'],
    args: () => [...schedulerArguments(credentials, schedulerLogin, schedulerPort), ...schedulerFlags],
    environment: memoryLimit(1000),
    isReady: () => probe(`https://127.0.0.1:${schedulerPort}/readyz`, credentials.authorityFile),
  });
  const configuration = join(folder, 'kwok.yaml');
  writeFileSync(
    configuration,
    simulationDocuments()
      .map((each) => JSON.stringify(each))
      .join('\n---\n'),
  );
  running.startPart({
    name: 'kwok',
    program: paths.kwok,
    args: (restarts) => kwokArguments(kwokLogin, configuration, kwokPort, restarts),
    environment: { ...memoryLimit(1500), HOME: folder },
    isReady: () => probe(`http://127.0.0.1:${kwokPort}/healthz`),
  });
}

const inThreeZones = (index: number): NodeShape => ({ zone: `zone-${'abc'[index % 3]}` });

/** Default StorageClass. Its folders are in /tmp/hostpath_pv and are removed at the end. */
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'kubernetes.io/host-path',
  allowVolumeExpansion: true,
  volumeBindingMode: 'Immediate',
};
