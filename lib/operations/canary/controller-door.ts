import { isWorkloadReady, valueAt } from '../../api';
import { resourceOf, type SentObject } from '../../kube';
import { asked } from './api-calls';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { type CanaryDeps } from './canary-deps';

/** Field manager of what the canary writes by itself. */
export const canaryManager = 'pinion-canary';

/** Custom resources that are applied, as kubectl would, and carried out by the controller. */
export function controllerDoor({ client }: Pick<CanaryDeps, 'client'>): CanaryDeployer {
  const apply = async (workload: CanaryInput, signal: AbortSignal): Promise<void> => {
    await asked(client.apply(workload as unknown as SentObject, { fieldManager: canaryManager, force: true, signal }));
  };
  const read = ({ kind, metadata }: CanaryInput) => asked(client.get(resourceOf(kind), metadata));
  return {
    name: 'controller',
    put: apply,
    goBack: apply,
    async isReady(workload) {
      const live = await read(workload);
      return live !== undefined && isWorkloadReady(live);
    },
    async isHeldBack(workload, signal) {
      const live = await read(workload);
      if (live === undefined) await apply(workload, signal);
      return valueAt(live, ['status', 'cause', 'owner']) === 'quota';
    },
    remove: ({ kind, metadata }, signal) => asked(client.remove(resourceOf(kind), metadata, { signal })),
  };
}
