import * as z from 'zod';
import { problemCodes, workloadKinds, type ProblemCode, type WorkloadKind } from '../api';

const moment = () => z.iso.datetime().describe('RFC 3339, in UTC.');

/** Text of a form, with the words that a problem says of any other. */
const formed = (pattern: RegExp, what: string, example: string, max: number) =>
  z
    .string()
    .max(max)
    .regex(pattern, { error: `is not ${what}|write ${what}, such as "${example}"` });

/** Name of a project, workflow, stage or cluster. */
export const name = () => formed(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case DNS label', 'cart', 63);
const digest = () => formed(/^sha256:[0-9a-f]{64}$/, 'a digest', `sha256:${'0'.repeat(64)}`, 71);
const version = () => formed(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/, 'a version', '1.4.2', 128);
/** Name of a deployment. */
export const deploymentId = () => formed(/^[0-9a-f]{20}$/, 'the name of a deployment', '0123456789abcdef0123', 20);

/** `project/workflow@version`. */
export const reference = () =>
  formed(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z]([-a-z0-9]*[a-z0-9])?@[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
    'project/workflow@version',
    'shop/cart@1.4.2',
    256,
  ).describe('A published artifact, as project/workflow@version.');

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];
const kinds = Object.keys(workloadKinds) as [WorkloadKind, ...WorkloadKind[]];

/** What names a workload within its project on a cluster. */
export const workloadKey = () => ({
  kind: z.enum(kinds).describe('Kind of the workload.'),
  name: formed(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    'an object name',
    'cart',
    253,
  ).describe('Name of the workload.'),
});

/** One thing that is wrong, as at every other door. */
export const problemShape = z.object({
  code: z.enum(codes).describe('One of the closed set of problem codes.'),
  path: z.array(z.union([z.string(), z.number()])).describe('Keys and indexes that lead to the field.'),
  value: z.unknown().optional().describe('What was found there; absent where it is missing or must not be shown.'),
  reason: z.string().describe('Why it is wrong.'),
  remedy: z.string().describe('What to do about it.'),
  object: z.string().optional().describe('The object that it is about, such as PinterestService cart.'),
  severity: z.enum(['error', 'warning']).optional().describe('An error where it is left out.'),
});

/** Why something is not well, and whose it is. */
export const causeShape = z.object({
  owner: z.enum(['platform', 'application', 'quota', 'capacity']).describe('Who can do something about it.'),
  reason: z.string().describe('What is the matter, as one word; docs/reasons.md has each.'),
  message: z.string().describe('What is the matter and what to do next.'),
  object: z.string().optional().describe('Object that shows it, such as Pod/cart-7d4b9-x2x5p.'),
});

/** What goes wrong with a request: a problem document of RFC 9457, with all problems at once. */
export const failureShape = z.object({
  type: z.string().describe('Kind of failure, about:blank where the status says it all.'),
  title: z.string().describe('The failure in a few words.'),
  status: z.int().describe('The HTTP status.'),
  detail: z.string().optional().describe('The failure in a sentence.'),
  problems: z.array(problemShape).optional().describe('All that is wrong.'),
  check: z
    .lazy(() => checkShape)
    .optional()
    .describe('The numbers, where quota or room is short.'),
});

/** Who asks. */
export const callerShape = z.object({
  subject: z.string().describe('Name of the user or service account, as clusters know it.'),
  issuer: z.string().describe('Who vouches for that.'),
  kind: z.enum(['User', 'ServiceAccount']).describe('What the name names.'),
  groups: z.array(z.string()).describe('Groups that the caller is in.'),
});

/** Amounts of one resource. */
const resourceAmounts = z.object({
  resource: z.string().describe('Name as quotas have it, such as requests.cpu.'),
  asked: z.string().describe('What the artifact asks for at its peak.'),
  now: z.string().describe('What the same workloads ask for at their peak as they are deployed now.'),
  taken: z.string().describe('What everything else of the project asks for, what is under way included.'),
  hard: z.string().optional().describe('What the quota allows; unlimited where it is left out.'),
  left: z.string().optional().describe('What is left beside everything else; unlimited where it is left out.'),
  fits: z.boolean().describe('Whether what is asked for is within what is left, or no more than there is now.'),
});

/** What a deployment would ask for on one target, and what would come of it. */
export const targetCheckShape = z.object({
  target: name().describe('Cluster.'),
  resources: z.array(resourceAmounts).describe('Amounts by resource.'),
  fits: z.boolean().describe('Whether all of it is within the quota.'),
  nearestFit: z
    .string()
    .optional()
    .describe('The nearest thing that fits, in a sentence; only where it does not fit and something would.'),
  changes: z
    .array(
      z.object({
        ...workloadKey(),
        change: z.enum(['created', 'changed', 'unchanged', 'removed']).describe('What becomes of it.'),
        restarts: z.boolean().describe('Whether its pods are replaced.'),
        fields: z
          .array(
            z.object({
              path: z.string().describe('Path of the field, such as spec.replicas.'),
              from: z
                .unknown()
                .optional()
                .describe('Value now; absent where there is none, and where it could be a secret.'),
              to: z
                .unknown()
                .optional()
                .describe('Value then; absent where there is none, and where it could be a secret.'),
            }),
          )
          .describe('Fields that differ.'),
      }),
    )
    .describe('What becomes of each workload.'),
  problems: z.array(problemShape).describe('What would be refused, and warnings.'),
});

/** What a deployment would do, before anything is written. */
export const checkShape = z.object({
  artifact: reference(),
  digest: digest().describe('Address of its content.'),
  stage: name().describe('Stage of the workflow.'),
  decision: z
    .enum(['accept', 'queue', 'refuse'])
    .describe('What would come of it now: it begins, it waits until there is room, or it is refused.'),
  problems: z.array(problemShape).describe('What is wrong with it as a whole: trust, rights, promotion.'),
  targets: z.array(targetCheckShape).describe('What it means on each cluster.'),
});

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
  'refused',
] as const;

/** Phases of a deployment that nothing follows. */
export const finalPhases: readonly Phase[] = ['ready', 'held', 'rolledBack', 'superseded', 'cancelled', 'refused'];

/** How a deployment stands, in one word. */
export type Phase = (typeof phases)[number];

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

/** One thing that happened to a deployment; they are numbered from 1 without gaps. */
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
  Failure: failureShape,
  Problem: problemShape,
  ProjectView: projectShape,
  RollBackRequest: rollBackRequestShape,
  TargetCheck: targetCheckShape,
  VersionView: versionShape,
  WorkloadDetail: workloadDetailShape,
  WorkloadView: workloadShape,
} as const satisfies Record<string, z.ZodType>;

export type Cause = z.output<typeof causeShape>;
export type Failure = z.output<typeof failureShape>;
export type Caller = z.output<typeof callerShape>;
export type Check = z.output<typeof checkShape>;
export type TargetCheck = z.output<typeof targetCheckShape>;
export type Deployment = z.output<typeof deploymentShape>;
export type DeployedWorkload = z.output<typeof deployedWorkloadShape>;
export type DeploymentEvent = z.output<typeof deploymentEventShape>;
export type DeployRequest = z.output<typeof deployRequestShape>;
export type RollBackRequest = z.output<typeof rollBackRequestShape>;
export type ApprovalRequest = z.output<typeof approvalRequestShape>;
export type Approval = z.output<typeof approvalShape>;
export type ProjectView = z.output<typeof projectShape>;
export type WorkloadView = z.output<typeof workloadShape>;
export type WorkloadDetail = z.output<typeof workloadDetailShape>;
export type VersionView = z.output<typeof versionShape>;
export type Change = z.output<typeof changeShape>;
/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string | undefined;
}
