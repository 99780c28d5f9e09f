import * as z from 'zod';
import { problemCodes, type ProblemCode } from '../api';
import { digest, name, reference, workloadKey } from './names';

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];

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

/** What becomes of a workload, and which of its fields differ. */
const workloadChange = () => ({
  ...workloadKey(),
  change: z.enum(['created', 'changed', 'unchanged', 'removed']).describe('What becomes of it.'),
  fields: z
    .array(
      z.object({
        path: z.string().describe('Path of the field, such as spec.replicas.'),
        from: z.unknown().optional().describe('Value now; absent where there is none, and where it could be a secret.'),
        to: z.unknown().optional().describe('Value then; absent where there is none, and where it could be a secret.'),
      }),
    )
    .describe('Fields that differ.'),
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
        ...workloadChange(),
        restarts: z.boolean().describe('Whether its pods are replaced.'),
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

/** What a deployment changes, as it and what was Ready before it were published; it is the same on all its clusters. */
export const differenceShape = z.object({
  former: reference().optional().describe('What was Ready in the stage before; absent where nothing was.'),
  changes: z.array(z.object(workloadChange())).describe('What becomes of each workload.'),
});

/** What goes wrong with a request. */
export type Failure = z.output<typeof failureShape>;
/** What a deployment would do on one cluster. */
export type TargetCheck = z.output<typeof targetCheckShape>;
/** What a deployment would do. */
export type Check = z.output<typeof checkShape>;
/** What a deployment changes. */
export type Difference = z.output<typeof differenceShape>;
