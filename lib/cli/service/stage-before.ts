import { finalPhases, type Deployment, type RollBackRequest } from '../../contract';
import { type Service } from './service-connection';

/** Current and previous versions of a workflow at a stage, as far as they are recorded. */
export interface StageVersions {
  /** Current version. */
  readonly current?: string | undefined;
  /** Default version of a rollback. */
  readonly previous?: string | undefined;
  /** Version that did not become Ready, if the current version was restored by an automatic rollback. */
  readonly failed?: string | undefined;
}

/** Maximum number of deployments to search; enough to include the last two that became Ready. */
const maxSearched = 50;

/** Fetches the versions deployed to a stage; the version for a rollback is the one that the service would select. */
export async function fetchStageVersions(
  { project, workflow, stage }: RollBackRequest,
  { client }: Service,
): Promise<StageVersions> {
  const known: Deployment[] = [];
  for await (const deployment of client.list('deployments', {
    query: { project, workflow, stage, limit: maxSearched },
  }))
    if (known.push(deployment) === maxSearched) break;
  // A deployment that was canceled before it started changed nothing.
  const relevant = known
    .filter(({ startedAt, phase }) => startedAt !== undefined || !finalPhases.includes(phase))
    .sort((a, b) => b.sequence - a.sequence);
  const [last] = relevant;
  if (!last) return {};
  const lastStarted = relevant.find(({ startedAt }) => startedAt !== undefined);
  const runningVersion = lastStarted?.phase === 'rolledBack' ? lastStarted.previous?.version : lastStarted?.version;
  if (last.phase === 'rolledBack') return { current: runningVersion, failed: last.version };
  if (last.intent === 'rollBack' && !finalPhases.includes(last.phase))
    return { current: last.previous?.version ?? runningVersion, previous: last.version };
  const lastReady = relevant.find(({ phase, digest }) => phase === 'ready' && digest !== last.digest);
  const previous = last.previous?.digest === last.digest ? undefined : last.previous;
  return { current: runningVersion, previous: (lastReady ?? previous)?.version };
}
