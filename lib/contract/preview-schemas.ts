import * as z from 'zod';
import { problemCodes, type ProblemCode } from '../api';
import { digest, name, reference, workloadKeyFields } from './names';

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];

/** Validation problem, with the same fields as in the CLI. */
export const problemSchema = z.object({
  code: z.enum(codes).describe('Problem code, listed in docs/errors.md.'),
  path: z.array(z.union([z.string(), z.number()])).describe('Keys and indexes of the field.'),
  value: z.unknown().optional().describe('Value of the field; absent if it is missing or sensitive.'),
  reason: z.string().describe('Why it is wrong.'),
  remedy: z.string().describe('How to fix it.'),
  object: z.string().optional().describe('Affected object, such as PinterestService cart.'),
  severity: z.enum(['error', 'warning']).optional().describe('Severity. Defaults to error.'),
});

/** Error response: a problem document (RFC 9457) with all problems at once. */
export const problemDetailsSchema = z.object({
  type: z.string().describe('Problem type; about:blank if the status is sufficient.'),
  title: z.string().describe('Summary.'),
  status: z.int().describe('HTTP status.'),
  detail: z.string().optional().describe('Explanation of this occurrence.'),
  problems: z.array(problemSchema).optional().describe('All problems of the request.'),
  preview: z
    .lazy(() => previewSchema)
    .optional()
    .describe('Preview with the numbers, if quota or capacity is insufficient.'),
});

/** Quota amounts of one resource. */
const resourceAmounts = z.object({
  resource: z.string().describe('Quota resource name, such as requests.cpu.'),
  requested: z.string().describe('Peak request of the artifact.'),
  now: z.string().describe('Peak request of the same workloads as currently deployed.'),
  usedByOthers: z
    .string()
    .describe('Peak request of all other workloads of the project, including deployments in progress.'),
  hard: z.string().optional().describe('Hard limit of the quota; absent if unlimited.'),
  available: z.string().optional().describe('Hard limit minus usage by others; absent if unlimited.'),
  fits: z.boolean().describe('Whether the request is within the available amount or does not exceed the current one.'),
});

/** Change of a workload, with the fields that differ. */
const workloadChange = () => ({
  ...workloadKeyFields(),
  change: z.enum(['created', 'changed', 'unchanged', 'removed']).describe('Type of change.'),
  fields: z
    .array(
      z.object({
        path: z.string().describe('Path of the field, such as spec.replicas.'),
        from: z.unknown().optional().describe('Current value; absent if unset or sensitive.'),
        to: z.unknown().optional().describe('New value; absent if unset or sensitive.'),
      }),
    )
    .describe('Fields that differ.'),
});

/** Preview of a deployment on one target. */
export const targetPreviewSchema = z.object({
  target: name().describe('Cluster.'),
  resources: z.array(resourceAmounts).describe('Quota amounts by resource.'),
  fits: z.boolean().describe('Whether the deployment fits the quota.'),
  nearestFit: z.string().optional().describe('Closest alternative that fits; only if the deployment does not fit.'),
  changes: z
    .array(
      z.object({
        ...workloadChange(),
        restarts: z.boolean().describe('Whether its pods restart.'),
        causes: z
          .array(
            z.object({
              object: z.string().describe('Manifest that has the field, such as RuntimeProfile standard-1.'),
              path: z.string().optional().describe('Path of the field; absent if several fields have the effect.'),
            }),
          )
          .optional()
          .describe('Changed fields because of which its pods restart; absent if they are not known.'),
        restartedVariants: z
          .array(z.string())
          .optional()
          .describe('Variants whose pods restart or end; absent if there are none.'),
        hooks: z
          .array(z.string())
          .optional()
          .describe('Hooks that run before its pods change, in order; absent if none runs.'),
      }),
    )
    .describe('Change of each workload.'),
  problems: z.array(problemSchema).describe('Errors and warnings on this cluster.'),
});

/** Preview of a deployment; nothing is written. */
export const previewSchema = z.object({
  artifact: reference(),
  digest: digest().describe('Digest of the content.'),
  stage: name().describe('Stage of the workflow.'),
  decision: z
    .enum(['accept', 'queue', 'refuse'])
    .describe('Decision if it were deployed now: start, wait for quota, or refuse.'),
  problems: z.array(problemSchema).describe('Problems of the artifact as a whole: trust, authorization, promotion.'),
  targets: z.array(targetPreviewSchema).describe('Preview on each cluster.'),
});

/** Differences between the published artifact of a deployment and the one that was Ready before; equal on all clusters. */
export const diffSchema = z.object({
  previous: reference()
    .optional()
    .describe('Artifact that was previously Ready in the stage; absent if there was none.'),
  changes: z.array(z.object(workloadChange())).describe('Change of each workload.'),
});

/** Error response: a problem document (RFC 9457). */
export type ProblemDetails = z.output<typeof problemDetailsSchema>;
/** Preview of a deployment on one target. */
export type TargetPreview = z.output<typeof targetPreviewSchema>;
/** Preview of a deployment. */
export type DeploymentPreview = z.output<typeof previewSchema>;
/** Differences between a deployment and the artifact that was Ready before. */
export type DeploymentDiff = z.output<typeof diffSchema>;
