import { type Approval, type ApprovalRequest, type Caller, type Deployment } from '../../contract';
import { stageRule } from '../../artifact';
import { type Clock } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { authorizeOnAll, requireRole } from '../authorization';
import { TooManyApprovalsError, WriteConflictError, type ConfigMapState } from '../state/config-map-state';
import { createDeploymentRecord, updateDeploymentRecord } from '../state/deployment-record';
import { referencedProject, requireMembership, type CandidateSources } from './candidate';

/** Dependencies of approvals and cancellations. */
interface ConsentSources extends CandidateSources {
  readonly state: ConfigMapState;
  readonly clock: Clock;
}

/** Cancels a waiting deployment of the caller, or as an admin of the project on all clusters. Throws a `ProblemResponse`. */
export async function cancelDeployment(
  sources: ConsentSources,
  caller: Caller,
  deployment: Deployment,
): Promise<Deployment> {
  const { state, targets, clock } = sources;
  const { id, project, requestedBy, stage } = deployment;
  const isOwn = requestedBy.subject === caller.subject && requestedBy.issuer === caller.issuer;
  const projects = deployment.targets.map(({ name }) => ({
    target: name,
    project: targets.get(name)?.project(project),
  }));
  requireRole(authorizeOnAll(caller, project, projects, isOwn ? 'cancelOwn' : 'cancelOthers', stage), project);
  const entry = state.ledger(project).open.find((one) => one.id === id);
  const before = state.record(id);
  if (!entry?.waits || (before && before.deployment.phase !== 'queued')) {
    const detail = `it is ${deployment.phase}; deploy the intended version instead`;
    throw new ProblemResponse(409, { title: 'The deployment is no longer waiting', detail });
  }
  const at = new Date(clock.now()).toISOString();
  const event = { message: `cancelled by ${caller.subject}` };
  const change = { phase: 'cancelled', endedAt: at } as const;
  const ended = updateDeploymentRecord(before ?? createDeploymentRecord(project, entry), at, change, [event]);
  try {
    await state.save(ended, before);
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error;
    throw new ProblemResponse(409, {
      title: 'The deployment has just progressed',
      detail: 'check it again; it may no longer be waiting',
    });
  }
  return ended.deployment;
}

/**
 * Approves an artifact for a stage that requires approval; the caller must be an admin of the project on all clusters
 * of the stage, or in the approvers that its Project lists there. Throws a `ProblemResponse`.
 */
export async function approveArtifact(
  sources: ConsentSources,
  caller: Caller,
  { artifact: reference, stage: name }: ApprovalRequest,
): Promise<Approval> {
  const { artifacts, targets, state, clock } = sources;
  const project = referencedProject(reference);
  requireMembership(sources, caller, project);
  const { artifact, stage } = await artifacts.stage(reference, name);
  const projects = stage.targets.map((target) => ({ target, project: targets.get(target)?.project(project) }));
  const role = requireRole(authorizeOnAll(caller, project, projects, 'approve', name), project);
  const approvers = projects.flatMap(
    ({ project: one }) => (one && stageRule(one, name).rule?.promotion?.approvers) ?? [],
  );
  try {
    return await state.approve(project, {
      artifact: artifact.reference,
      stage: name,
      digest: artifact.digest,
      approvedBy: { subject: caller.subject, issuer: caller.issuer },
      approvedAt: new Date(clock.now()).toISOString(),
      groups: caller.groups.filter((group) => approvers.includes(group)),
      role,
    });
  } catch (error) {
    if (!(error instanceof TooManyApprovalsError)) throw error;
    throw new ProblemResponse(409, { title: 'The version is approved already', detail: `it ${error.message}` });
  }
}
