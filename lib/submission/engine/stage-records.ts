import { conditionOf, isWorkloadReady, metadataKeys } from '../../api';
import { type ArtifactContent, type ArtifactStage } from '../../artifact';
import { type StageRecord } from '../stage-readiness';
import { type ConfigMapState } from '../state/config-map-state';
import { type DeploymentRecord } from '../state/deployment-record';
import { stageHistoryOf, type ProjectLedger, type ReadyDeployment } from '../state/project-ledger';
import { type DeploymentTarget } from '../targets/deployment-target';
import { liveDigest } from './mark';

/** Returns the results of a workflow's deployments by stage, for promotion. */
export function stageRecords(
  { state, targets }: { readonly state: ConfigMapState; readonly targets: ReadonlyMap<string, DeploymentTarget> },
  ledger: ProjectLedger,
  { project, name, stages }: ArtifactContent,
): readonly StageRecord[] {
  return stages.flatMap((stage) => {
    const { ready } = stageHistoryOf(ledger, { workflow: name, stage: stage.name });
    const records = state
      .records(project)
      .filter(({ deployment }) => deployment.workflow === name && deployment.stage === stage.name);
    const readyTimes = readyTimesOf(ready, records);
    return records.map(({ deployment }): StageRecord => {
      const { digest, sequence, phase, endedAt } = deployment;
      if (phase !== 'ready') return { stage: stage.name, digest, sequence, phase };
      const successor = readyTimes.find((one) => one.sequence > sequence);
      const since = successor ? endedAt : readySince(targets, stage, digest, endedAt);
      return {
        ...{ stage: stage.name, digest, sequence, phase },
        ...(since !== undefined && { readySince: since }),
        ...(successor && { readyUntil: successor.at }),
      };
    });
  });
}

/** Returns when each version became Ready, in order: the rollback candidates, each once, and all retained records. */
const readyTimesOf = (ready: readonly ReadyDeployment[], records: readonly DeploymentRecord[]) =>
  [
    ...ready.map(({ sequence, readyAt }) => ({ sequence, at: readyAt })),
    ...records.flatMap(({ deployment: { phase, sequence, endedAt } }) =>
      phase === 'ready' && endedAt !== undefined ? [{ sequence, at: endedAt }] : [],
    ),
  ].sort((a, b) => a.sequence - b.sequence);

/**
 * Returns the time since which all workloads of a stage have been continuously Ready as in an artifact; undefined if
 * they are not.
 */
function readySince(
  targets: ReadonlyMap<string, DeploymentTarget>,
  { resources, targets: names }: ArtifactStage,
  digest: string,
  endedAt: string | undefined,
): string | undefined {
  let since = endedAt;
  for (const name of names)
    for (const { kind, metadata } of resources) {
      const live = targets.get(name)?.workload(metadata.namespace, { kind, name: metadata.name });
      if (!live || liveDigest(live) !== digest || !isWorkloadReady(live)) return undefined;
      // In an emergency, something else than the artifact may run.
      if (live.metadata.annotations?.[metadataKeys.breakGlass]) return undefined;
      const at = conditionOf(live['status'], 'Ready')?.lastTransitionTime;
      if (at !== undefined && since !== undefined && Date.parse(at) > Date.parse(since))
        since = new Date(at).toISOString();
    }
  return since;
}
