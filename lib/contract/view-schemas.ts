import * as z from 'zod';
import { projectRoles } from '../api';
import { causeSchema } from './deployment-schemas';
import { workloadRevisionSchema } from './rollout-schemas';
import { digest, timestamp, name, reference, workflowVersion, workloadKeyFields } from './names';

/** A project on one cluster, as its members see it. */
export const projectSchema = z.object({
  name: name().describe('Name of the project.'),
  target: name().describe('Cluster.'),
  team: z.string().describe('Team that owns it.'),
  onCall: z.string().optional().describe('On-call contact.'),
  links: z.record(z.string(), z.string()).describe('Links by title.'),
  role: z.enum(projectRoles).describe('Role of the caller.'),
  stages: z.array(z.string()).describe('Stages that the Project lists; empty allows any.'),
  quota: z
    .array(
      z.object({
        resource: z.string().describe('Quota resource name.'),
        hard: z.string().describe('Hard limit.'),
        used: z.string().describe('Current usage.'),
        promised: z.string().describe('Peak request of all workloads.'),
        level: z.enum(['ok', 'filling', 'nearly-full', 'full']).describe('Level of usage.'),
        fullOn: z
          .string()
          .optional()
          .describe('Predicted day of exhaustion, such as 2026-12-24; absent without a forecast.'),
      }),
    )
    .describe('Quota by resource.'),
  workloads: z.int().describe('Number of workloads.'),
  notReady: z.int().describe('Number of workloads that are not Ready.'),
});

/** A workload on one cluster, as members of its project see it. */
export const workloadSchema = z.object({
  project: name().describe('Project.'),
  target: name().describe('Cluster.'),
  ...workloadKeyFields(),
  phase: z.string().optional().describe('Phase of the workload.'),
  ready: z.boolean().describe('Whether it is Ready and its status reflects the current spec.'),
  progress: z.string().optional().describe('Progress, such as 2/3 ready.'),
  cause: causeSchema.optional().describe('Why it is not Ready.'),
  artifact: reference().optional().describe('Artifact that deployed it.'),
  stage: z.string().optional().describe('Stage that deployed it.'),
  since: timestamp().optional().describe('Time of the last readiness transition.'),
  links: z.record(z.string(), z.string()).describe('Links by title.'),
});

/** A workload with its objects. */
export const workloadDetailSchema = workloadSchema.extend({
  children: z.record(z.string(), z.string()).describe('Status of its objects by kind and name.'),
  hosts: z.array(z.string()).describe('Host names that route to it.'),
  revision: workloadRevisionSchema
    .optional()
    .describe('Revision of the Platform that its objects follow; absent without rollouts in the Platform.'),
  spec: z.unknown().describe('Applied spec, without values that could be secrets.'),
});

/** A published version that can be deployed. */
export const versionSchema = z.object({
  artifact: reference(),
  workflow: name().describe('Workflow.'),
  version: workflowVersion().describe('Version of the workflow.'),
  digest: digest().describe('Digest of the content.'),
  publishedAt: timestamp().describe('Time of publication.'),
  stages: z.array(z.string()).describe('Stages in order.'),
});

/** One page of a list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item).describe('Items of the page.'),
    next: z.string().optional().describe('Value of `after` for the next page; absent on the last page.'),
  });

/** A project on one cluster. */
export type ProjectView = z.output<typeof projectSchema>;
/** A workload on one cluster. */
export type WorkloadView = z.output<typeof workloadSchema>;
/** A workload with its objects. */
export type WorkloadDetail = z.output<typeof workloadDetailSchema>;
/** A published version. */
export type VersionView = z.output<typeof versionSchema>;
/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string | undefined;
}
