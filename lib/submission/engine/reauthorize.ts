import { explainProblem, isError } from '../../api';
import { isIssuerOutage } from '../../artifact';
import { type Caller, type Cause } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { type LedgerEntry } from '../state/project-ledger';
import { candidateOf, type CandidateSources } from './candidate';
import { promotionProblems, type PreviewDeps } from './preview-candidate';

/** Cause reason of a deployment whose caller or artifact is no longer allowed. */
const reason = 'NotAllowed';

/**
 * Authorizes an accepted deployment again, by the Projects of its clusters as they are now: the role and groups that its
 * caller had when requesting it, the publishers of the stage, and, until it has started, promotion and approval. Returns
 * why it may not continue. Throws if that cannot be decided now.
 */
export async function reauthorize(
  sources: CandidateSources & PreviewDeps,
  project: string,
  entry: LedgerEntry,
): Promise<Cause | undefined> {
  const { stage: stageName, breakGlass, intent, digest } = entry;
  if (!entry.caller) return denied('its record lacks the groups of its caller; request it again');
  const caller: Caller = { ...entry.requestedBy, ...entry.caller };
  const found = await sources.artifacts.stage(digest, stageName);
  try {
    await candidateOf(sources, caller, found, intent, breakGlass);
    const hasStarted = sources.state.record(entry.id)?.deployment.startedAt !== undefined;
    if (hasStarted || intent === 'rollBack') return undefined;
    const ledger = sources.state.ledger(project);
    const problems = promotionProblems(sources, ledger, { ...found, deployer: caller }).filter(isError);
    return problems.length > 0 ? denied(problems.map(explainProblem).join('; ')) : undefined;
  } catch (error) {
    if (!(error instanceof ProblemResponse) || error.status === 503) throw error;
    const { problems = [] } = error.details;
    if (problems.some(isIssuerOutage)) throw new ProblemResponse(503, { ...error.details, retryAfter: 10 });
    return denied(
      problems.length > 0 ? problems.map(explainProblem).join('; ') : (error.details.detail ?? error.message),
    );
  }
}

const denied = (why: string): Cause => ({
  owner: 'application',
  reason,
  message: `no longer allowed: ${why}`,
});
