import { parseManifest } from '../../api';
import { expand, inApplyOrder, needsController, type KubernetesObject, type ProjectContext } from '../../expand';
import { listAllPages, resourceOf } from '../../kube';
import { canaryNativeKinds } from '../../programs';
import { asked } from './api-calls';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { type CanaryDeps } from './canary-deps';
import { canaryManager } from './controller-door';
import { listKinds, selectorOfWorkload } from './live-parts';
import { isNativeReady } from './standing';

/** Native objects that are applied, as whoever deploys what was synthesized does it: no controller of ours has a hand in them. */
export function synthDoor(
  { client, project }: Pick<CanaryDeps, 'client' | 'project'>,
  world: ProjectContext,
): CanaryDeployer {
  const objectsOf = (workload: CanaryInput): readonly KubernetesObject[] => nativeObjects(workload, world);
  const apply = async (workload: CanaryInput, signal: AbortSignal): Promise<void> => {
    for (const object of inApplyOrder([...objectsOf(workload)]))
      await asked(client.apply(object, { fieldManager: canaryManager, force: true, signal }));
  };
  return {
    name: 'synth',
    put: apply,
    goBack: apply,
    async isReady(workload) {
      const wanted = objectsOf(workload);
      const live = await asked(Promise.all(wanted.map(({ kind, metadata }) => client.get(resourceOf(kind), metadata))));
      return live.every((object, index) => object && isNativeReady({ ...object, kind: wanted[index]?.kind ?? '' }));
    },
    async isHeldBack(workload, signal) {
      const [live] = await asked(
        listKinds(client, ['Deployment'], project, selectorOfWorkload(workload.kind, workload.metadata.name)),
      );
      if (live === undefined) await apply(workload, signal);
      return JSON.stringify(live?.['status'] ?? {}).includes('exceeded quota');
    },
    async remove({ kind, metadata }, signal) {
      const labelSelector = selectorOfWorkload(kind, metadata.name);
      for (const native of canaryNativeKinds)
        for (const { metadata: found } of await asked(
          listAllPages(client, native, { namespace: project, labelSelector }),
        ))
          await asked(client.remove(resourceOf(native), found, { signal }));
    },
  };
}

/** What a workload of the canary becomes in a world. */
export const nativeObjects = (workload: CanaryInput, world: ProjectContext): readonly KubernetesObject[] =>
  expand(parseManifest(workload), world);

/** What of a workload only the controller can do; nothing where it can be synthesized. */
export const needsOf = (workload: CanaryInput, world: ProjectContext): string | undefined =>
  needsController(parseManifest(workload), world)[0]?.reason;
