import { explainProblem, ProblemsError } from '../../../api';
import type * as KubeModule from '../../../kube';
import { clusterOptions } from '../../cluster/cluster-connection';
import { defineCommand } from '../../command/command';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { textOutput } from '../../command/output-options';
import { UnavailableError, type Io } from '../../io/io';
import { readFleetCluster, type FleetCluster } from './fleet-cluster';
import { fleetText } from './fleet-text';

/** `pinion fleet`. */
export const fleetCommand = defineCommand({
  description: `Show the state of several clusters beside each other: versions, the runtime profile in force, workloads that are not Ready or still on another profile, the rollout of the Platform, and the canary. All are read at the same time, and nothing is stored.

  ok           nothing needs attention
  attention    something does; it is printed below the table
  unknown      permission to read a part is missing, and nothing else needs attention
  unreachable  the API server did not respond, or rejected the credentials`,
  options: {
    kubeconfig: clusterOptions.kubeconfig,
    context: {
      type: 'list',
      valueName: 'NAME',
      description: 'contexts of the kubeconfig file',
      defaultText: 'all contexts',
    },
    timeout: { type: 'duration', default: '20s', min: '1s', max: '10m', description: 'time to wait for each cluster' },
    output: textOutput,
  },
  exitCodes: {
    failure: 'a cluster needs attention',
    unavailable: 'a cluster is unreachable or could not be read completely',
  },
  async run({ options }, io) {
    const { kubeconfig, timeout } = options;
    const selected = { ...(kubeconfig !== undefined && { kubeconfig }), timeout };
    const contexts = options.context ?? contextsOf(kubeconfig, io);
    const clusters = await Promise.all(contexts.map((context) => readFleetCluster({ ...selected, context }, io)));
    await io.write(options.output === 'json' ? `${JSON.stringify(clusters, null, 2)}\n` : fleetText(clusters));
    return exitCodeOf(clusters);
  },
});

/** Returns the contexts of the kubeconfig; throws an `UnavailableError` if there are none. */
function contextsOf(file: string | undefined, io: Io): readonly string[] {
  if (!io.system) throw new UnavailableError('cannot connect to a cluster from here');
  const kube = module.require('../../../kube') as typeof KubeModule;
  try {
    const { environment } = io.system;
    const contexts = kube.kubeConfigContexts({ environment, ...(file !== undefined && { file }) });
    if (contexts.length > 0) return contexts;
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    throw new UnavailableError(error.problems.map(explainProblem).join('\n'));
  }
  throw new UnavailableError('the kubeconfig has no contexts; name a file with --kubeconfig');
}

function exitCodeOf(clusters: readonly FleetCluster[]): ExitCode {
  if (clusters.some(({ state }) => state === 'unreachable' || state === 'unknown')) return exitCodes.unavailable;
  return clusters.some(({ state }) => state === 'attention') ? exitCodes.failure : exitCodes.success;
}
