/** A real control plane with simulated nodes, pinion installed, the examples running: `npm run local`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Input } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { expectStatus } from '../control-plane/answer';
import { clusterPrograms, prepareBinaries } from '../control-plane/binaries';
import { type SendableObject } from '../control-plane/client';
import { type Cluster } from '../control-plane/cluster';
import { type NodeShape } from '../control-plane/simulated-nodes';
import { startCluster } from '../control-plane/start-cluster';
import { waitFor } from '../control-plane/wait-for';
import { ControllerProcess } from './controller-process';
import { examplesInput } from './examples-input';
import { controllerAccount, installPinion } from './install-pinion';
import { isSettled, type Seen, standingTable } from './standing-table';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const isWatched = process.stdout.isTTY;

/** General machines in three zones, and one of each pool that the built-in Platform offers. */
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
  const binaries = await prepareBinaries(clusterPrograms, { report: (line) => say(line) });
  if ('skipped' in binaries) {
    say(`There is no control plane to run here: ${binaries.skipped}.`);
    process.exitCode = 1;
    return;
  }
  say(`Starting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and ${shapes.length} simulated nodes …`);
  const cluster = await startCluster({
    paths: binaries.paths,
    nodes: shapes.length,
    nodeShape: (index) => shapes[index] ?? {},
  });
  let controller: ControllerProcess | undefined;
  try {
    if (stop.signal.aborted) return;
    say('Installing pinion: definitions, rights, policies, the built-in Platform and runtime profile …');
    await installPinion(cluster, [defaultPlatform, defaultProfile]);
    controller = await startController(cluster);
    const documents = examplesInput();
    say(`Applying the examples: ${documents.length} documents …`);
    await applyAll(cluster, documents, stop.signal);
    await watchExamples(cluster, documents, stop.signal);
    if (!stop.signal.aborted) tellHowToLookAround(cluster, controller);
    if (!process.argv.includes('--once')) await raised(stop.signal);
  } finally {
    say('Stopping …');
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

/** A namespace is there a moment after its Project. */
async function applyAll(cluster: Cluster, documents: readonly Input[], signal: AbortSignal): Promise<void> {
  for (const document of documents) {
    if (signal.aborted) return;
    await waitFor(`the namespace of ${document.kind} ${document.metadata.name}`, async () => {
      const answer = await cluster.client.applyForReal(document as SendableObject);
      if (answer.status === 404 || answer.status === 403) return undefined;
      return expectStatus(answer, [200, 201]);
    });
  }
}

/** Shows the examples until all of them stand. */
async function watchExamples(cluster: Cluster, documents: readonly Input[], signal: AbortSignal): Promise<void> {
  let shown = '';
  let lines = 0;
  for (;;) {
    const seen = await Promise.all(
      documents.map(async (document): Promise<Seen> => {
        const { status, body } = await cluster.client.get(document as SendableObject);
        return { document, live: status === 200 ? (body as Seen['live']) : undefined };
      }),
    );
    const text = standingTable(seen);
    if (text !== shown && (isWatched || seen.every(isSettled))) {
      if (isWatched && lines > 0) process.stdout.write(`\u001b[${lines}A\u001b[J`);
      process.stdout.write(text);
      lines = text.split('\n').length - 1;
      shown = text;
    }
    if (signal.aborted || seen.every(isSettled)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function tellHowToLookAround(cluster: Cluster, controller: ControllerProcess): void {
  say(`
Everything stands. Look around from another terminal:

  export KUBECONFIG=${cluster.kubeconfig}
  kubectl get pinterest --all-namespaces
  kubectl describe psvc cartservice -n online-boutique
  kubectl get deployment,service,ingress,pod -n online-boutique
  kubectl scale psvc frontend -n online-boutique --replicas=5
  kubectl get events -n online-boutique --field-selector source=pinion
  npx pinion nodes

The controller's log: ${controller.logFile}
Ctrl-C stops everything and removes it.`);
}

const raised = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
