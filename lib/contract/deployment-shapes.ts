import * as z from 'zod';
import { deploymentId, digest, moment, name, reference, version, workloadKey } from './names';

/** Why something is not well, and whose it is. */
export const causeShape = z.object({
  owner: z.enum(['platform', 'application', 'quota', 'capacity']).describe('Who can do something about it.'),
  reason: z
    .string()
    .describe('What is the matter, as one word: docs/reasons.md has each, docs/submission.md those of the service.'),
  message: z.string().describe('What is the matter and what to do next.'),
  object: z.string().optional().describe('Object that shows it, such as Pod/cart-7d4b9-x2x5p.'),
});

/** Who asks. */
export const callerShape = z.object({
  subject: z.string().describe('Name of the user or service account, as clusters know it.'),
  issuer: z.string().describe('Who vouches for that.'),
  kind: z.enum(['User', 'ServiceAccount']).describe('What the name names.'),
  groups: z.array(z.string()).describe('Groups that the caller is in.'),
});

/** What a deployment goes through. */
export const phases = [
  'pending',
  'queued',
  'applying',
  'settling',
  'ready',
  'held',
  'rollingBack',
  'rolledBack',
  'superseded',
  'cancelled',
] as const;

/** How a deployment stands, in one word. */
export type Phase = (typeof phases)[number];

/** Phases of a deployment that nothing follows. */
export const finalPhases: readonly Phase[] = ['ready', 'held', 'rolledBack', 'superseded', 'cancelled'];

/** A workload as a deployment sees it. */
export const deployedWorkloadShape = z.object({
  ...workloadKey(),
  change: z.enum(['created', 'changed', 'unchanged', 'removed']).describe('What became of it.'),
  applied: z.boolean().describe('Whether the API server has it.'),
  ready: z.boolean().describe('Whether it is Ready as it was applied.'),
  progress: z.string().optional().describe('How far it is, such as 2/3 ready.'),
  cause: causeShape.optional().describe('Why it is not Ready.'),
});

/** One deployment: an artifact on its way to all targets of a stage. */
export const deploymentShape = z.object({
  id: deploymentId().describe('Its name.'),
  project: name().describe('Project, and namespace on the targets.'),
  workflow: name().describe('Workflow that was published.'),
  version: version().describe('Version of it.'),
  digest: digest().describe('Address of the content.'),
  stage: name().describe('Stage of the workflow.'),
  intent: z.enum(['deploy', 'rollBack']).describe('Whether somebody went forward or back.'),
  sequence: z.int().describe('Its place in the order of the project.'),
  phase: z.enum(phases).describe('How it stands.'),
  requestedBy: callerShape.pick({ subject: true, issuer: true }).describe('Who asked.'),
  requestedAt: moment().describe('When it was asked for.'),
  startedAt: moment().optional().describe('When it began.'),
  endedAt: moment().optional().describe('When it ended.'),
  breakGlass: z.string().optional().describe('Why it went past the publishers of a protected stage.'),
  former: z
    .object({ version: version(), digest: digest() })
    .optional()
    .describe('What was Ready there before; it comes back on a roll back.'),
  cause: causeShape.optional().describe('Why it waits or has stopped.'),
  commit: z.string().optional().describe('Commit that was published.'),
  review: z.string().optional().describe('Where it was reviewed.'),
  targets: z
    .array(
      z.object({
        name: name().describe('Cluster.'),
        phase: z.enum(['waiting', 'applying', 'settling', 'ready', 'stopped', 'rolledBack']).describe('How it stands.'),
        workloads: z.array(deployedWorkloadShape).describe('Its workloads there.'),
      }),
    )
    .describe('How it stands on each cluster, in their order.'),
});

/** One thing that happened to a deployment; they are numbered from 1, and the oldest of very many are not kept. */
export const deploymentEventShape = z.object({
  number: z.int().min(1).describe('Number, by which a follow resumes.'),
  at: moment().describe('When.'),
  phase: z.enum(phases).describe('How the deployment stood then.'),
  target: name().optional().describe('Cluster, where it is about one.'),
  workload: z.object(workloadKey()).optional().describe('Workload, where it is about one.'),
  message: z.string().describe('What happened, in a sentence.'),
  cause: causeShape.optional().describe('Why it waits or has stopped.'),
});

/** What a caller says to deploy. */
export const deployRequestShape = z.strictObject({
  artifact: reference(),
  stage: name().describe('Stage of its workflow.'),
  breakGlass: z
    .string()
    .min(10)
    .max(500)
    .optional()
    .describe('Why the publishers of a protected stage are passed over: an emergency, told and recorded.'),
});

/** What a caller says to go back. */
export const rollBackRequestShape = z.strictObject({
  project: name().describe('Project.'),
  workflow: name().describe('Workflow.'),
  stage: name().describe('Stage of it.'),
  version: version().optional().describe('Version to go back to; the last one that was Ready there where left out.'),
});

/** What a caller says to let an artifact into a stage that asks for it. */
export const approvalRequestShape = z.strictObject({
  artifact: reference(),
  stage: name().describe('Stage that it may enter.'),
});

/** An approval that was given. */
export const approvalShape = z.object({
  ...approvalRequestShape.shape,
  digest: digest().describe('Address of the content that is approved.'),
  approvedBy: callerShape.pick({ subject: true, issuer: true }).describe('Who approved.'),
  approvedAt: moment().describe('When.'),
});

/** Why something is not well, and whose it is. */
export type Cause = z.output<typeof causeShape>;
/** Who asks. */
export type Caller = z.output<typeof callerShape>;
/** One deployment. */
export type Deployment = z.output<typeof deploymentShape>;
/** A workload as a deployment sees it. */
export type DeployedWorkload = z.output<typeof deployedWorkloadShape>;
/** One thing that happened to a deployment. */
export type DeploymentEvent = z.output<typeof deploymentEventShape>;
/** What a caller says to deploy. */
export type DeployRequest = z.output<typeof deployRequestShape>;
/** What a caller says to go back. */
export type RollBackRequest = z.output<typeof rollBackRequestShape>;
/** What a caller says to let an artifact into a stage. */
export type ApprovalRequest = z.output<typeof approvalRequestShape>;
/** An approval that was given. */
export type Approval = z.output<typeof approvalShape>;
