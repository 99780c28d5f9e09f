import { type Deployment, type RollBackRequest } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { isFinal } from '../state/deployment-record';
import { stageHistoryOf, type ProjectLedger, type ReadyDeployment } from '../state/project-ledger';

/**
 * Returns the version for a rollback: the named one, otherwise the one that was Ready before the current one. Throws a
 * `ProblemResponse` if there is none, or if the current one was itself restored automatically: another step back must
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
    throw nothingThere(ready, 'was not Ready there', version);
  }
  const last = lastOf(deployments.filter((one) => one.workflow === workflow && one.stage === stage));
  // A rollback requested during another rollback means the same one, not a rollback from its target.
  if (last?.intent === 'rollBack' && !isFinal(last.phase)) return last.version;
  if (last?.phase === 'rolledBack' && ready[0]) throw cameBack(last, ready);
  // The last Ready version is deployed unless a deployment started after it, possibly with the same content.
  const isThere = (ready[0]?.sequence ?? 0) >= (last?.sequence ?? 0);
  const wanted = isThere ? ready[1] : ready.find(({ digest }) => digest !== last?.digest);
  if (wanted) return wanted.version;
  throw nothingThere(ready, 'no other version was Ready there before');
}

/**
 * Returns the newest deployment that started or will start; one that was canceled before it started changed nothing.
 */
const lastOf = (deployments: readonly Deployment[]): Deployment | undefined =>
  deployments
    .filter(({ phase, startedAt }) => startedAt !== undefined || !isFinal(phase))
    .reduce<Deployment | undefined>((last, one) => (last && last.sequence > one.sequence ? last : one), undefined);

function cameBack(last: Deployment, [there, ...others]: readonly ReadyDeployment[]): ProblemResponse {
  const further = others.find(({ digest }) => digest !== last.digest);
  const again = `${there?.version} to apply it again`;
  const problem = {
    code: 'required',
    path: ['version'],
    reason: `is required: ${last.version} did not become Ready and was rolled back, so that ${there?.version} is there already`,
    remedy: further ? `name ${further.version} to go further back, or ${again}` : `name ${again}`,
  } as const;
  return new ProblemResponse(422, { title: 'It was rolled back already', problems: [problem] });
}

function nothingThere(ready: readonly ReadyDeployment[], reason: string, version?: string): ProblemResponse {
  const known = ready.map((one) => one.version).join(', ');
  const problem = {
    code: 'unknown-reference',
    path: ['version'],
    ...(version !== undefined && { value: version }),
    reason,
    remedy: known === '' ? 'deploy a version first' : `name one of ${known}`,
  } as const;
  return new ProblemResponse(422, { title: 'There is no version to roll back to', problems: [problem] });
}
