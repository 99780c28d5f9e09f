import { type Deployment } from '../../contract';
import { type ConfigMapState } from '../state/config-map-state';
import { stageHistoryKey, stageHistoryOf } from '../state/project-ledger';
import { type DeploymentTarget } from '../targets/deployment-target';
import { isDeployedBy, liveSequence } from './mark';

/**
 * Returns the targets on which a deployment superseded one that was not Ready: if the deployment stops, these workloads
 * must be rolled back too. `target` returns a target by name, and throws if it is unavailable.
 */
export function unfinishedBefore(
  state: ConfigMapState,
  target: (name: string) => DeploymentTarget,
  deployment: Deployment,
): ReadonlySet<string> {
  const { project, sequence, targets } = deployment;
  const [previous] = stageHistoryOf(state.ledger(project), deployment).ready;
  const superseded = state
    .records(project)
    .map((record) => record.deployment)
    .filter((one) => one.phase === 'superseded' && stageHistoryKey(one) === stageHistoryKey(deployment))
    .filter((one) => one.sequence > (previous?.sequence ?? 0) && one.sequence < sequence)
    .map((one) => one.sequence);
  if (superseded.length === 0) return new Set();
  const isUnfinished = (name: string): boolean =>
    target(name)
      .workloads(project)
      .some((live) => isDeployedBy(live, deployment) && superseded.includes(liveSequence(live)));
  return new Set(targets.map(({ name }) => name).filter(isUnfinished));
}
