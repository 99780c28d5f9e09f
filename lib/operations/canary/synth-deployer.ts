import { parseManifest } from '../../api';
import { expand, inApplyOrder, needsController, type KubernetesObject, type ProjectContext } from '../../expand';
import { listAllPages, resourceOf } from '../../kube';
import { canaryNativeKinds } from '../../programs';
import { callApiServer } from './api-calls';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { type CanaryDeps } from './canary-deps';
import { canaryManager } from './controller-deployer';
import { listKinds, workloadSelector } from './workload-objects';
import { isNativeReady } from './native-status';

/** Returns the deployment path that applies synthesized native objects, without pinion's controller. */
export function synthDeployer(
  { client, project }: Pick<CanaryDeps, 'client' | 'project'>,
  context: ProjectContext,
): CanaryDeployer {
  const objectsOf = (workload: CanaryInput): readonly KubernetesObject[] => nativeObjects(workload, context);
  const apply = async (workload: CanaryInput, signal: AbortSignal): Promise<void> => {
    for (const object of inApplyOrder([...objectsOf(workload)]))
      await callApiServer(client.apply(object, { fieldManager: canaryManager, force: true, signal }));
  };
  return {
    name: 'synth',
    deploy: apply,
    rollBack: apply,
    async isReady(workload) {
      const desired = objectsOf(workload);
      const live = await callApiServer(
        Promise.all(desired.map(({ kind, metadata }) => client.get(resourceOf(kind), metadata))),
      );
      return live.every((object, index) => object && isNativeReady({ ...object, kind: desired[index]?.kind ?? '' }));
    },
    async isBlockedByQuota(workload, signal) {
      const [live] = await callApiServer(
        listKinds(client, ['Deployment'], project, workloadSelector(workload.kind, workload.metadata.name)),
      );
      if (live === undefined) await apply(workload, signal);
      return JSON.stringify(live?.['status'] ?? {}).includes('exceeded quota');
    },
    async remove({ kind, metadata }, signal) {
      const labelSelector = workloadSelector(kind, metadata.name);
      for (const native of canaryNativeKinds)
        for (const { metadata: found } of await callApiServer(
          listAllPages(client, native, { namespace: project, labelSelector }),
        ))
          await callApiServer(client.delete(resourceOf(native), found, { signal }));
    },
  };
}

/** Expands a canary workload. */
export const nativeObjects = (workload: CanaryInput, context: ProjectContext): readonly KubernetesObject[] =>
  expand(parseManifest(workload), context);

/** Returns why a workload needs the controller; undefined if it can be synthesized. */
export const controllerNeedOf = (workload: CanaryInput, context: ProjectContext): string | undefined =>
  needsController(parseManifest(workload), context)[0]?.reason;
