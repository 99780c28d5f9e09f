import { clusterPrograms, prepareBinaries } from '../control-plane/binaries';
import { existingClusterVariable, existingClusterKubeconfig } from '../control-plane/existing-cluster';
import { readKubeconfigLogin } from '../control-plane/kubeconfig-login';
import { createRunFolder } from '../jest/run-folder';
import { nodePrograms } from '../real-node/node-init';
import { reasonWithoutNodeTools } from '../real-node/node-tools';
import { builtPrograms, reasonWithoutRehearsalTools } from '../rehearsal/tools';

/** Builds the programs under test and prints the cluster in use and the skipped suites. */
export default async function globalSetup(): Promise<void> {
  createRunFolder();
  const isWatched = process.stderr.isTTY || process.env['CI'] === 'true';
  const print = (line: string): boolean => process.stderr.write(`e2e: ${line}\n`);
  const kubeconfig = existingClusterKubeconfig();
  if (kubeconfig !== undefined) {
    print(
      `running against the cluster ${readKubeconfigLogin(kubeconfig).url} of ${existingClusterVariable}=${kubeconfig}`,
    );
    print('SKIPPED suites that need their own control plane');
    return;
  }
  const skipReason = reasonWithoutNodeTools();
  if (skipReason) print(`SKIPPED suites that need a real node: ${skipReason}`);
  const rehearsalSkipReason = reasonWithoutRehearsalTools();
  if (rehearsalSkipReason) print(`SKIPPED the rehearsal of control plane nodes: ${rehearsalSkipReason}`);
  const rehearsedVersions = process.env['PINION_E2E'] === 'full' ? (['1.36', '1.35'] as const) : (['1.36'] as const);
  const programs = [
    ...new Set([
      ...clusterPrograms,
      'etcdctl',
      'etcdutl',
      ...(process.env['PINION_E2E'] === 'full'
        ? ['etcd-3.5', 'etcdctl-3.5', 'etcdutl-3.5', 'jobset', 'pulumi', 'pushgateway', 'traefik']
        : []),
      ...(skipReason ? [] : nodePrograms),
      ...(rehearsalSkipReason ? [] : rehearsedVersions.flatMap(builtPrograms)),
    ]),
  ];
  const binaries = await prepareBinaries(programs, isWatched ? { report: print } : {});
  if ('skipped' in binaries) print(`SKIPPED suites that need a real control plane: ${binaries.skipped}`);
  else print('running against a dedicated real control plane');
}
