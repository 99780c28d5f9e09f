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

/** Maximum number of deployments to search; they include the last two that became Ready. */
const looked = 50;

/** Fetches the versions deployed to a stage; the version for a rollback is the one that the service would select. */
export async function fetchStageVersions(
  { project, workflow, stage }: RollBackRequest,
  { client }: Service,
): Promise<StageVersions> {
  const known: Deployment[] = [];
  for await (const one of client.list('deployments', { query: { project, workflow, stage, limit: looked } }))
    if (known.push(one) === looked) break;
  // One that was taken back before it began changed nothing.
  const counting = known
    .filter(({ startedAt, phase }) => startedAt !== undefined || !finalPhases.includes(phase))
    .sort((one, other) => other.sequence - one.sequence);
  const [last] = counting;
  if (!last) return {};
  const begun = counting.find(({ startedAt }) => startedAt !== undefined);
  const there = begun?.phase === 'rolledBack' ? begun.previous?.version : begun?.version;
  if (last.phase === 'rolledBack') return { current: there, failed: last.version };
  if (last.intent === 'rollBack' && !finalPhases.includes(last.phase))
    return { current: last.previous?.version ?? there, previous: last.version };
  const before = counting.find(({ phase, digest }) => phase === 'ready' && digest !== last.digest);
  const previous = last.previous?.digest === last.digest ? undefined : last.previous;
  return { current: there, previous: (before ?? previous)?.version };
}
