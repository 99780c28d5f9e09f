import * as z from 'zod';
import { causeShape } from './deployment-shapes';
import { digest, moment, name, reference, version, workloadKey } from './names';

/** A project on one cluster, as its people see it. */
export const projectShape = z.object({
  name: name().describe('Name of the project.'),
  target: name().describe('Cluster.'),
  team: z.string().describe('Team that answers for it.'),
  onCall: z.string().optional().describe('How the people on call are reached.'),
  links: z.record(z.string(), z.string()).describe('Pages about it.'),
  role: z.enum(['view', 'edit', 'admin']).describe('What the caller may do in it.'),
  stages: z.array(z.string()).describe('Stages that the Project lists; any where empty.'),
  quota: z
    .array(
      z.object({
        resource: z.string().describe('Name as quotas have it.'),
        hard: z.string().describe('What it allows.'),
        used: z.string().describe('What is used now.'),
        promised: z.string().describe('What all workloads ask for at their peak.'),
        level: z.enum(['ok', 'filling', 'nearly-full', 'full']).describe('How it stands.'),
        fullOn: z.string().optional().describe('Day on which it is full, where the history shows one, as 2026-12-24.'),
      }),
    )
    .describe('Its quota by resource.'),
  workloads: z.int().describe('Workloads that it has.'),
  notReady: z.int().describe('Those of them that are not Ready.'),
});

/** A workload on one cluster, as its people see it. */
export const workloadShape = z.object({
  project: name().describe('Project.'),
  target: name().describe('Cluster.'),
  ...workloadKey(),
  phase: z.string().optional().describe('Its phase in one word.'),
  ready: z.boolean().describe('Whether it is Ready, and its status speaks of its present spec.'),
  progress: z.string().optional().describe('How far it is, such as 2/3 ready.'),
  cause: causeShape.optional().describe('Why it is not Ready.'),
  artifact: reference().optional().describe('Artifact that it came from.'),
  stage: z.string().optional().describe('Stage that it came from.'),
  since: moment().optional().describe('Since when it is as ready as it is.'),
  links: z.record(z.string(), z.string()).describe('Pages about it.'),
});

/** A workload with what it became. */
export const workloadDetailShape = workloadShape.extend({
  children: z.record(z.string(), z.string()).describe('What it became, by kind and name, and how each stands.'),
  hosts: z.array(z.string()).describe('Host names that lead to it.'),
  spec: z.unknown().describe('Its spec as it was applied, without values that could be secrets.'),
});

/** A published version that may be deployed. */
export const versionShape = z.object({
  artifact: reference(),
  workflow: name().describe('Workflow.'),
  version: version().describe('Version of it.'),
  digest: digest().describe('Address of the content.'),
  publishedAt: moment().describe('When it was published.'),
  stages: z.array(z.string()).describe('Its stages, in their order.'),
});

/** One page of a list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item).describe('Items of this page.'),
    next: z.string().optional().describe('What to give as `after` for the next page; absent on the last one.'),
  });

/** A project on one cluster. */
export type ProjectView = z.output<typeof projectShape>;
/** A workload on one cluster. */
export type WorkloadView = z.output<typeof workloadShape>;
/** A workload with what it became. */
export type WorkloadDetail = z.output<typeof workloadDetailShape>;
/** A published version. */
export type VersionView = z.output<typeof versionShape>;
/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string | undefined;
}
