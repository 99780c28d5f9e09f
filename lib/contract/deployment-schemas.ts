import * as z from 'zod';
import { deploymentId, digest, timestamp, name, reference, workflowVersion, workloadKeyFields } from './names';

/** Reason why something is not ready, and the owner of the fix. */
export const causeSchema = z.object({
  owner: z.enum(['platform', 'application', 'quota', 'capacity']).describe('Who can fix it.'),
  reason: z
    .string()
    .describe('UpperCamelCase reason, listed in docs/reasons.md and, for the service, in docs/submission.md.'),
  message: z.string().describe('What is wrong and what to do next.'),
  object: z.string().optional().describe('Affected object, such as Pod/cart-7d4b9-x2x5p.'),
});

/** Authenticated caller. */
export const callerSchema = z.object({
  subject: z.string().describe('Kubernetes username of the user or service account.'),
  issuer: z.string().describe('Issuer of the token.'),
  kind: z.enum(['User', 'ServiceAccount']).describe('Type of the subject.'),
  groups: z.array(z.string()).describe('Groups of the caller.'),
});

/** Phases of a deployment, in their usual order. */
export const phases = [
  'pending',
  'queued',
  'applying',
  'progressing',
  'ready',
  'failed',
  'rollingBack',
  'rolledBack',
  'superseded',
  'cancelled',
] as const;

/** Phase of a deployment. */
export type Phase = (typeof phases)[number];

/** Phases in which a deployment has ended. */
export const finalPhases: readonly Phase[] = ['ready', 'failed', 'rolledBack', 'superseded', 'cancelled'];

/** Progress of one workload of a deployment. */
export const deployedWorkloadSchema = z.object({
  ...workloadKeyFields(),
  change: z.enum(['created', 'changed', 'unchanged', 'removed']).describe('Change that the deployment made.'),
  applied: z.boolean().describe('Whether the API server accepted it.'),
  ready: z.boolean().describe('Whether the applied generation is Ready.'),
  progress: z.string().optional().describe('Progress, such as 2/3 ready.'),
  cause: causeSchema.optional().describe('Why it is not Ready.'),
});

/** Deployment of an artifact to all targets of a stage. */
export const deploymentSchema = z.object({
  id: deploymentId().describe('ID of the deployment.'),
  project: name().describe('Project, and namespace on the targets.'),
  workflow: name().describe('Published workflow.'),
  version: workflowVersion().describe('Version of the workflow.'),
  digest: digest().describe('Digest of the content.'),
  stage: name().describe('Stage of the workflow.'),
  intent: z.enum(['deploy', 'rollBack']).describe('Whether it deploys a new artifact or rolls back.'),
  sequence: z.int().describe('Sequence number within the project.'),
  phase: z.enum(phases).describe('Current phase.'),
  requestedBy: callerSchema.pick({ subject: true, issuer: true }).describe('Caller who requested it.'),
  requestedAt: timestamp().describe('Time of the request.'),
  startedAt: timestamp().optional().describe('Start time.'),
  endedAt: timestamp().optional().describe('End time.'),
  breakGlass: z.string().optional().describe('Reason for bypassing the trusted publishers of a protected stage.'),
  previous: z
    .object({ version: workflowVersion(), digest: digest() })
    .optional()
    .describe('Version that was previously Ready in the stage; an automatic rollback restores it.'),
  cause: causeSchema.optional().describe('Why it is waiting or failed.'),
  commit: z.string().optional().describe('Commit of the artifact.'),
  review: z.string().optional().describe('URL of the review.'),
  targets: z
    .array(
      z.object({
        name: name().describe('Cluster.'),
        phase: z
          .enum(['waiting', 'applying', 'progressing', 'ready', 'failed', 'rolledBack'])
          .describe('Current phase.'),
        workloads: z.array(deployedWorkloadSchema).describe('Workloads on this cluster.'),
      }),
    )
    .describe('Progress on each cluster, in the order of the stage.'),
});

/** Event of a deployment. Numbers start at 1; the oldest events of a long deployment are dropped. */
export const deploymentEventSchema = z.object({
  number: z.int().min(1).describe('Sequence number; send it as Last-Event-ID to resume.'),
  at: timestamp().describe('Time of the event.'),
  phase: z.enum(phases).describe('Phase of the deployment at that time.'),
  target: name().optional().describe('Cluster, if the event concerns one.'),
  workload: z.object(workloadKeyFields()).optional().describe('Workload, if the event concerns one.'),
  message: z.string().describe('Message for users.'),
  cause: causeSchema.optional().describe('Why it is waiting or failed.'),
});

/** Request to deploy an artifact to a stage. */
export const deployRequestSchema = z.strictObject({
  artifact: reference(),
  stage: name().describe('Stage of the workflow.'),
  breakGlass: z
    .string()
    .min(10)
    .max(500)
    .optional()
    .describe('Reason to bypass the trusted publishers of a protected stage in an emergency; recorded and reported.'),
});

/** Request to roll back a stage. */
export const rollBackRequestSchema = z.strictObject({
  project: name().describe('Project.'),
  workflow: name().describe('Workflow.'),
  stage: name().describe('Stage of the workflow.'),
  version: workflowVersion().optional().describe('Version to roll back to. Defaults to the previous Ready version.'),
});

/** Request to approve an artifact for a stage. */
export const approvalRequestSchema = z.strictObject({
  artifact: reference(),
  stage: name().describe('Stage that the artifact may enter.'),
});

/** Approval of an artifact for a stage. */
export const approvalSchema = z.object({
  ...approvalRequestSchema.shape,
  digest: digest().describe('Digest of the approved content.'),
  approvedBy: callerSchema.pick({ subject: true, issuer: true }).describe('Caller who approved.'),
  approvedAt: timestamp().describe('Time of the approval.'),
});

/** Reason why something is not ready, and the owner of the fix. */
export type Cause = z.output<typeof causeSchema>;
/** Authenticated caller. */
export type Caller = z.output<typeof callerSchema>;
/** Deployment of an artifact to all targets of a stage. */
export type Deployment = z.output<typeof deploymentSchema>;
/** Progress of one workload of a deployment. */
export type DeployedWorkload = z.output<typeof deployedWorkloadSchema>;
/** Event of a deployment. */
export type DeploymentEvent = z.output<typeof deploymentEventSchema>;
/** Request to deploy an artifact to a stage. */
export type DeployRequest = z.output<typeof deployRequestSchema>;
/** Request to roll back a stage. */
export type RollBackRequest = z.output<typeof rollBackRequestSchema>;
/** Request to approve an artifact for a stage. */
export type ApprovalRequest = z.output<typeof approvalRequestSchema>;
/** Approval of an artifact for a stage. */
export type Approval = z.output<typeof approvalSchema>;
