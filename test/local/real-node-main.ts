import { apiVersion, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { prepareBinaries } from '../control-plane/binaries';
import { appTemplate, webApp } from '../real-node/app-template';
import { nodePrograms } from '../real-node/node-init';
import { type PlatformNode, startPlatform } from '../real-node/platform-node';
import { startRealNode } from '../real-node/real-node';
import { reasonWithoutNodeTools } from '../real-node/node-tools';
import { profileImages } from '../real-node/test-profile';
import { isSettled, type AppliedResource } from './status-table';
import { applyAll, untilAborted, printLine, watchResources } from './show-resources';

const namespace = 'demo';
const workload = <K extends WorkloadKind>(kind: K, name: string, spec: ManifestInput<K>['spec']): ManifestInput =>
  ({ apiVersion, kind, metadata: { name, namespace }, spec }) as ManifestInput;

/** Manifests of one workload of each kind that a node without a network can run. */
const documents: readonly ManifestInput[] = [
  { apiVersion, kind: 'Project', metadata: { name: namespace }, spec: { team: namespace } },
  workload('PinterestService', 'web', {
    replicas: 2,
    version: '1',
    health: { port: 8080, path: '/healthz' },
    loadBalancer: { port: 80, targetPort: 8080 },
    template: appTemplate({ node: webApp('true') }),
  }),
  workload('PinterestJobSet', 'batch', {
    shards: 2,
    template: appTemplate({ shell: 'echo "shard $PINION_SHARD_INDEX of $PINION_SHARD_COUNT"' }),
  }),
  workload('PinterestTrainingJob', 'torch', {
    framework: 'pytorch',
    roles: { master: {}, worker: {} },
    template: appTemplate({ shell: 'echo "rank $RANK of $WORLD_SIZE"' }),
  }),
  workload('PinterestCronJob', 'tick', {
    schedule: '* * * * *',
    template: appTemplate({ shell: 'echo "$PINION_POD ran"' }),
  }),
];

/** Jobs are shown until they have finished. */
const stands = (observed: AppliedResource): boolean =>
  isSettled(
    observed,
    ['PinterestJobSet', 'PinterestTrainingJob'].includes(observed.document.kind) ? ['Complete'] : ['Ready'],
  );

/**
 * A real node with pinion, its controller in a pod, and small examples whose containers run: `npm run local --
 * --real-node`.
 */
export async function realNodeMain(signal: AbortSignal, once: boolean): Promise<void> {
  const skipReason = reasonWithoutNodeTools();
  const binaries = skipReason ? { skipped: skipReason } : await prepareBinaries(nodePrograms, { report: printLine });
  if ('skipped' in binaries) {
    printLine(`Cannot run a real node here: ${binaries.skipped}.`);
    process.exitCode = 1;
    return;
  }
  printLine('Starting containerd, kubelet, kube-proxy and a control plane, in namespaces of their own …');
  const node = await startRealNode({ paths: binaries.paths, images: profileImages });
  let platform: PlatformNode | undefined;
  try {
    if (signal.aborted) return;
    printLine('Installing pinion: its controller runs in a pod, with a runtime profile of small images …');
    platform = await startPlatform(node);
    printLine(`Applying the examples: ${documents.length} manifests …`);
    await applyAll(node.client, documents, signal);
    await watchResources(node.client, documents, signal, stands);
    if (signal.aborted) return;
    if (once) return printLine('All resources are ready, and their containers run.');
    printNextSteps(platform);
    await untilAborted(signal);
  } finally {
    printLine('Stopping …');
    await platform?.zookeeper?.stop();
    await node.stop();
  }
}

function printNextSteps({ node, zookeeper }: PlatformNode): void {
  printLine(`
All resources are ready, and their containers run. Explore them from another terminal:

  export KUBECONFIG=${node.kubeconfig}
  kubectl get pinterest -n ${namespace}
  kubectl get pods -n ${namespace}
  kubectl logs -n ${namespace} -l batch.kubernetes.io/job-name=batch -c app
  kubectl exec -n ${namespace} deployment/web -c app -- env
  kubectl scale psvc web -n ${namespace} --replicas=3
  kubectl logs -n pinion-controller deployment/pinion-controller
${zookeeper ? `\nThe pods of web are registered in the ZooKeeper at ${zookeeper.outside}, below /pinion/services/${namespace}/web.` : ''}
The node has no external network and no DNS. Ctrl-C stops everything and removes it.`);
}
