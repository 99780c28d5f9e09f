import { type ArtifactContent, type ArtifactStage } from '../../artifact';
import { type StageRecord } from '../promotion';
import { type ConfigMapState } from '../state/config-map-state';
import { laneOf, type ProjectLedger } from '../state/project-ledger';
import { type Target } from '../targets/target';
import { liveDigest } from './mark';
import { conditionOf, isReady } from './readiness';

/** What became of the deployments of a workflow, stage by stage, as a promotion asks for it. */
export function stageRecords(
  { state, targets }: { readonly state: ConfigMapState; readonly targets: ReadonlyMap<string, Target> },
  ledger: ProjectLedger,
  { project, name, stages }: ArtifactContent,
): readonly StageRecord[] {
  return stages.flatMap((stage) => {
    const { ready } = laneOf(ledger, { workflow: name, stage: stage.name });
    const records = state
      .records(project)
      .filter(({ deployment }) => deployment.workflow === name && deployment.stage === stage.name);
    return records.map(({ deployment }): StageRecord => {
      const { digest, sequence, phase, endedAt } = deployment;
      const at = ready.findIndex(({ id }) => id === deployment.id);
      const successor = ready[at - 1];
      const since = phase !== 'ready' ? undefined : at === 0 ? readySince(targets, stage, digest, endedAt) : endedAt;
      return {
        ...{ stage: stage.name, digest, sequence, phase },
        ...(since !== undefined && { readySince: since }),
        ...(phase === 'ready' && successor && { readyUntil: successor.readyAt }),
      };
    });
  });
}

/** Since when all workloads of a stage have been Ready without a break as an artifact has them; undefined while they are not. */
function readySince(
  targets: ReadonlyMap<string, Target>,
  { resources, targets: names }: ArtifactStage,
  digest: string,
  endedAt: string | undefined,
): string | undefined {
  let since = endedAt;
  for (const name of names)
    for (const { kind, metadata } of resources) {
      const live = targets.get(name)?.workload(metadata.namespace, { kind, name: metadata.name });
      if (!live || liveDigest(live) !== digest || !isReady(live)) return undefined;
      const at = conditionOf(live, 'Ready')?.lastTransitionTime;
      if (at !== undefined && since !== undefined && Date.parse(at) > Date.parse(since))
        since = new Date(at).toISOString();
    }
  return since;
}
