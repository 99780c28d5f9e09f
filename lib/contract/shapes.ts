import * as z from 'zod';
import { checkShape, differenceShape, failureShape, problemShape, targetCheckShape } from './check-shapes';
import {
  approvalRequestShape,
  approvalShape,
  callerShape,
  causeShape,
  deployedWorkloadShape,
  deploymentEventShape,
  deploymentShape,
  deployRequestShape,
  rollBackRequestShape,
} from './deployment-shapes';
import { name, workloadKey } from './names';
import { projectShape, versionShape, workloadDetailShape, workloadShape } from './view-shapes';

/** What changed while somebody looks: a whole item in its newest state, or that it is gone. */
export const changeShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('workload'), workload: workloadShape }),
  z.object({
    type: z.literal('workloadGone'),
    workload: z.object({ project: name(), target: name(), ...workloadKey() }),
  }),
  z.object({ type: z.literal('project'), project: projectShape }),
  z.object({ type: z.literal('projectGone'), project: z.object({ name: name(), target: name() }) }),
  z.object({ type: z.literal('deployment'), deployment: deploymentShape }),
]);

/** Shapes that have a name wherever they are described. */
export const namedShapes = {
  Approval: approvalShape,
  ApprovalRequest: approvalRequestShape,
  Caller: callerShape,
  Cause: causeShape,
  Change: changeShape,
  Check: checkShape,
  DeployedWorkload: deployedWorkloadShape,
  Deployment: deploymentShape,
  DeploymentEvent: deploymentEventShape,
  DeployRequest: deployRequestShape,
  Difference: differenceShape,
  Failure: failureShape,
  Problem: problemShape,
  ProjectView: projectShape,
  RollBackRequest: rollBackRequestShape,
  TargetCheck: targetCheckShape,
  VersionView: versionShape,
  WorkloadDetail: workloadDetailShape,
  WorkloadView: workloadShape,
} as const satisfies Record<string, z.ZodType>;

/** What changed while somebody looks. */
export type Change = z.output<typeof changeShape>;
