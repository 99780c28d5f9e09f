import { finalPhases, type Deployment, type RollBackRequest } from '../../contract';
import { type Service } from './service-connection';

/** What a stage holds of a workflow, and what it held before, as far as anybody remembers. */
export interface StageBefore {
  /** Version that is there. */
  readonly there?: string | undefined;
  /** Version that a roll back means where none is named. */
  readonly before?: string | undefined;
  /** Version that did not become Ready, where what is there came back by itself. */
  readonly failed?: string | undefined;
}

/** Asks what was deployed to a stage; it says of a roll back what the service would say. */
export async function stageBefore(
  { project, workflow, stage }: RollBackRequest,
  { client }: Service,
): Promise<StageBefore> {
  let last: Deployment | undefined;
  for await (const one of client.each('deployments', { query: { project, workflow, stage, limit: 20 } })) {
    // One that was taken back before it began changed nothing.
    if (one.startedAt === undefined && finalPhases.includes(one.phase)) continue;
    if (!last) {
      last = one;
      const { version, phase, former, intent } = one;
      if (phase === 'rolledBack') return { there: former?.version, failed: version };
      if (intent === 'rollBack' && !finalPhases.includes(phase)) return { there: former?.version, before: version };
      if (phase !== 'ready') return { there: version, before: former?.version };
    }
    if (one.phase === 'ready' && one.digest !== last.digest) return { there: last.version, before: one.version };
  }
  const isOther = last?.former?.digest !== last?.digest;
  return { there: last?.version, before: isOther ? last?.former?.version : undefined };
}
