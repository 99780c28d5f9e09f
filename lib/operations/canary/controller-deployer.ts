import { isWorkloadReady, valueAt } from '../../api';
import { resourceOf, type SentObject } from '../../kube';
import { callApiServer } from './api-calls';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { type CanaryDeps } from './canary-deps';

/** Field manager of the canary. */
export const canaryManager = 'pinion-canary';

/** Returns the deployment path that applies custom resources for the controller, as kubectl does. */
export function controllerDeployer({ client }: Pick<CanaryDeps, 'client'>): CanaryDeployer {
  const apply = async (workload: CanaryInput, signal: AbortSignal): Promise<void> => {
    await callApiServer(
      client.apply(workload as unknown as SentObject, { fieldManager: canaryManager, force: true, signal }),
    );
  };
  const read = ({ kind, metadata }: CanaryInput) => callApiServer(client.get(resourceOf(kind), metadata));
  return {
    name: 'controller',
    deploy: apply,
    rollBack: apply,
    async isReady(workload) {
      const live = await read(workload);
      return live !== undefined && isWorkloadReady(live);
    },
    async isBlockedByQuota(workload, signal) {
      const live = await read(workload);
      if (live === undefined) await apply(workload, signal);
      return valueAt(live, ['status', 'cause', 'owner']) === 'quota';
    },
    remove: ({ kind, metadata }, signal) => callApiServer(client.delete(resourceOf(kind), metadata, { signal })),
  };
}
