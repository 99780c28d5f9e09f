import { finalPhases, type Deployment, type RollBackRequest } from '../../contract';
import { type Service } from './service-connection';

/** What a stage holds of a workflow, and what it held before, as far as anybody remembers. */
export interface StageVersions {
  /** Version that is there. */
  readonly current?: string | undefined;
  /** Version that a roll back means where none is named. */
  readonly previous?: string | undefined;
  /** Version that did not become Ready, where what is there came back by itself. */
  readonly failed?: string | undefined;
}

/** Deployments that are looked at, at most: two that became Ready are among them. */
const looked = 50;

/** Asks what was deployed to a stage; it says of a roll back what the service would say. */
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
