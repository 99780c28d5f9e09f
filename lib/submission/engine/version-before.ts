import { type Deployment, type RollBackRequest } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { isFinal } from '../state/deployment-record';
import { stageHistoryOf, type ProjectLedger, type ReadyDeployment } from '../state/project-ledger';

/**
 * Returns the version for a rollback: the named one, otherwise the one that was Ready before the current one. Throws a
 * `ProblemResponse` if there is none, or if the current one was itself restored automatically: a further rollback must
 * name its version.
 */
export function versionBefore(
  ledger: ProjectLedger,
  deployments: readonly Deployment[],
  { workflow, stage, version }: RollBackRequest,
): string {
  const { ready } = stageHistoryOf(ledger, { workflow, stage });
  if (version !== undefined) {
    if (ready.some((one) => one.version === version)) return version;
    throw noRollbackVersion(ready, 'was not Ready in the stage', version);
  }
  const last = lastOf(deployments.filter((one) => one.workflow === workflow && one.stage === stage));
  // A rollback requested during another rollback means the same one, not a rollback from its target.
  if (last?.intent === 'rollBack' && !isFinal(last.phase)) return last.version;
  if (last?.phase === 'rolledBack' && ready[0]) throw alreadyRolledBack(last, ready);
  // The last Ready version is deployed unless a deployment started after it, possibly with the same content.
  const isDeployed = (ready[0]?.sequence ?? 0) >= (last?.sequence ?? 0);
  const target = isDeployed ? ready[1] : ready.find(({ digest }) => digest !== last?.digest);
  if (target) return target.version;
  throw noRollbackVersion(ready, 'no other version was Ready in the stage before');
}

/**
 * Returns the newest deployment that started or will start; one that was canceled before it started changed nothing.
 */
const lastOf = (deployments: readonly Deployment[]): Deployment | undefined =>
  deployments
    .filter(({ phase, startedAt }) => startedAt !== undefined || !isFinal(phase))
    .reduce<Deployment | undefined>((last, one) => (last && last.sequence > one.sequence ? last : one), undefined);

function alreadyRolledBack(last: Deployment, [restored, ...others]: readonly ReadyDeployment[]): ProblemResponse {
  const older = others.find(({ digest }) => digest !== last.digest);
  const again = `${restored?.version} to apply it again`;
  const problem = {
    code: 'required',
    path: ['version'],
    reason: `is required: ${last.version} did not become Ready and was rolled back, so that ${restored?.version} is already deployed`,
    remedy: older ? `name ${older.version} to go further back, or ${again}` : `name ${again}`,
  } as const;
  return new ProblemResponse(422, { title: 'The deployment was already rolled back', problems: [problem] });
}

function noRollbackVersion(ready: readonly ReadyDeployment[], reason: string, version?: string): ProblemResponse {
  const known = ready.map((one) => one.version).join(', ');
  const problem = {
    code: 'unknown-reference',
    path: ['version'],
    ...(version !== undefined && { value: version }),
    reason,
    remedy: known === '' ? 'deploy a version first' : `use one of ${known}`,
  } as const;
  return new ProblemResponse(422, { title: 'There is no version to roll back to', problems: [problem] });
}
