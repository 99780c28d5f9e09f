import * as z from 'zod';
import { previewSchema, diffSchema, problemDetailsSchema, problemSchema, targetPreviewSchema } from './preview-schemas';
import {
  approvalRequestSchema,
  approvalSchema,
  callerSchema,
  causeSchema,
  deployedWorkloadSchema,
  deploymentEventSchema,
  deploymentSchema,
  deployRequestSchema,
  rollBackRequestSchema,
} from './deployment-schemas';
import { name, workloadKeyFields } from './names';
import { projectSchema, versionSchema, workloadDetailSchema, workloadSchema } from './view-schemas';

/** Change of an item: its new state, or its deletion. */
export const changeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('workload'), workload: workloadSchema }),
  z.object({
    type: z.literal('workloadGone'),
    workload: z.object({ project: name(), target: name(), ...workloadKeyFields() }),
  }),
  z.object({ type: z.literal('project'), project: projectSchema }),
  z.object({ type: z.literal('projectGone'), project: z.object({ name: name(), target: name() }) }),
  z.object({ type: z.literal('deployment'), deployment: deploymentSchema }),
]);

/** Schemas with a name in the OpenAPI document. */
export const namedSchemas = {
  Approval: approvalSchema,
  ApprovalRequest: approvalRequestSchema,
  Caller: callerSchema,
  Cause: causeSchema,
  Change: changeSchema,
  DeploymentPreview: previewSchema,
  DeployedWorkload: deployedWorkloadSchema,
  Deployment: deploymentSchema,
  DeploymentEvent: deploymentEventSchema,
  DeployRequest: deployRequestSchema,
  DeploymentDiff: diffSchema,
  ProblemDetails: problemDetailsSchema,
  Problem: problemSchema,
  ProjectView: projectSchema,
  RollBackRequest: rollBackRequestSchema,
  TargetPreview: targetPreviewSchema,
  VersionView: versionSchema,
  WorkloadDetail: workloadDetailSchema,
  WorkloadView: workloadSchema,
} as const satisfies Record<string, z.ZodType>;

/** Change of an item: its new state, or its deletion. */
export type Change = z.output<typeof changeSchema>;
