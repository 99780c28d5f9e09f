/**
 * A real control plane with simulated nodes, pinion installed, the examples running, the gateway, the submission service
 * with its page: `npm run local`; with `--real-node` a real node.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersion } from '../../lib/api';
import { clusterPrograms, prepareBinaries } from '../control-plane/binaries';
import { type Cluster } from '../control-plane/cluster';
import { type NodeShape } from '../control-plane/simulated-nodes';
import { startCluster } from '../control-plane/start-cluster';
import { ControllerProcess } from './controller-process';
import { examplesInput } from './examples-input';
import { controllerAccount, installPinion } from './install-pinion';
import { type GatewayProcess } from './gateway-process';
import { LocalGateway } from './local-gateway';
import { LocalSubmission } from './local-submission';
import { realNodeMain } from './real-node-main';
import { applyAll, untilAborted, printLine, watchResources } from './show-resources';

/** General-purpose machines in three zones, and one machine of each pool of the built-in Platform. */
const shapes: readonly NodeShape[] = [
  ...['zone-a', 'zone-b', 'zone-c', 'zone-a', 'zone-b'].map((zone): NodeShape => ({ zone })),
  { zone: 'zone-a', labels: { 'node.example.com/pool': 'highmem' } },
  ...['zone-b', 'zone-c', 'zone-a', 'zone-b'].map((zone): NodeShape => ({
    zone,
    labels: { 'node.example.com/pool': 'gpu' },
    capacity: { 'nvidia.com/gpu': '8' },
    taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
  })),
];

async function main(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  if (process.argv.includes('--real-node')) return realNodeMain(stop.signal, process.argv.includes('--once'));
  const binaries = await prepareBinaries(clusterPrograms, { report: (line) => printLine(line) });
  if ('skipped' in binaries) {
    printLine(`Cannot run a control plane here: ${binaries.skipped}.`);
    process.exitCode = 1;
    return;
  }
  printLine(
    `Starting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and ${shapes.length} simulated nodes …`,
  );
  const cluster = await startCluster({
    paths: binaries.paths,
    nodes: shapes.length,
    nodeShape: (index) => shapes[index] ?? {},
  });
  let controller: ControllerProcess | undefined;
  let submission: LocalSubmission | undefined;
  let gateway: { readonly process: GatewayProcess; readonly kubeconfig: string } | undefined;
  try {
    if (stop.signal.aborted) return;
    printLine('Installing pinion: CRDs, RBAC, policies, the built-in Platform and runtime profile …');
    const localGateway = new LocalGateway();
    await installPinion(cluster, localGateway.documents);
    controller = await startController(cluster);
    printLine('Starting the gateway to the API server …');
    gateway = await localGateway.start(cluster);
    printLine('Starting the submission service, with demo users and published versions …');
    submission = await LocalSubmission.start(cluster);
    const documents = examplesInput();
    printLine(`Applying the examples: ${documents.length} manifests …`);
    await applyAll(cluster.client, documents, stop.signal);
    const own = documents.filter(({ apiVersion: version }) => version === apiVersion);
    await watchResources(cluster.client, own, stop.signal);
    if (stop.signal.aborted) return;
    if (process.argv.includes('--once')) return printLine('All resources are ready.');
    printNextSteps(cluster, controller, submission, gateway);
    await untilAborted(stop.signal);
  } finally {
    printLine('Stopping …');
    await gateway?.process.stop();
    await submission?.stop();
    await controller?.stop();
    await cluster.stop();
  }
}

async function startController(cluster: Cluster): Promise<ControllerProcess> {
  const { namespace, name } = controllerAccount;
  mkdirSync(join(cluster.folder, 'logs'), { recursive: true });
  const kubeconfig = cluster.kubeconfigFor({ token: await cluster.serviceAccountToken(namespace, name) });
  const controller = ControllerProcess.start({ kubeconfig, folder: cluster.folder });
  await controller.leads();
  return controller;
}

function printNextSteps(
  cluster: Cluster,
  controller: ControllerProcess,
  submission: LocalSubmission,
  gateway: { readonly process: GatewayProcess; readonly kubeconfig: string },
): void {
  printLine(`
All resources are ready. Explore them from another terminal:

  export KUBECONFIG=${cluster.kubeconfig}
  kubectl get pinterest --all-namespaces
  kubectl describe psvc cartservice -n online-boutique
  kubectl get deployment,service,ingress,pod -n online-boutique
  kubectl scale psvc cartservice -n online-boutique --replicas=5
  kubectl get events -n online-boutique --field-selector source=pinion
  npx --no-install pinion nodes

Deploy the published versions from the page ${submission.url} (log in as Ada, Ben, Cleo, Dora or Eve) or with the command:

  export PINION_SERVER=${submission.url} PINION_TOKEN_FILE=${submission.tokenFile}
  npx --no-install pinion diff storefront/web@1.0.0 --to production
  npx --no-install pinion deploy storefront/web@1.0.0 --to production --wait
  npx --no-install pinion deploy storefront/web@2.0.0 --to production   # exceeds the quota
  npx --no-install pinion status storefront
  npx --no-install pinion history storefront/web

Its stage production accepts only what the key of its publisher signs. Publish a workflow of the namespace storefront, with the
stage production and the target local, with this key; then deploy it in the same way:

  npx --no-install pinion publish ${submission.publishOptions.join(' ')} \\
    --commit $(git rev-parse HEAD) --version 1.2.0 WORKFLOW.yaml

Read through the gateway, as a service account with the role view:

  kubectl --kubeconfig ${gateway.kubeconfig} get pods --all-namespaces --watch

The controller's log: ${controller.logFile}
The gateway's log: ${gateway.process.logFile}
The submission service's log: ${submission.logFile}
Ctrl-C stops everything and removes it.`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
