import * as z from 'zod';
import { projectClientsSchema } from './client-schemas';
import { previewSchema, diffSchema } from './preview-schemas';
import {
  approvalRequestSchema,
  approvalSchema,
  callerSchema,
  deploymentEventSchema,
  deploymentSchema,
  deployRequestSchema,
  rollBackRequestSchema,
} from './deployment-schemas';
import { deploymentId, name, workloadKeyFields } from './names';
import { clusterRolloutsSchema } from './rollout-schemas';
import { changeSchema } from './schemas';
import { pageOf, projectSchema, versionSchema, workloadDetailSchema, workloadSchema } from './view-schemas';

/** Operation of the service. */
export interface Operation {
  readonly method: 'get' | 'post';
  /** Path with parameters in braces, as in OpenAPI. */
  readonly path: string;
  /** Summary in one sentence. */
  readonly summary: string;
  /** Path parameters; all required. */
  readonly params?: z.ZodObject;
  /** Query parameters. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether it changes state. */
  readonly changes?: boolean;
  /** Whether it requires the header Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Whether its stream resumes after the header Last-Event-ID and marks its end. */
  readonly resumes?: boolean;
  /** Status and schema of the response; for a stream, the schema of one event. */
  readonly response: { readonly status: 200 | 201 | 202; readonly schema: z.ZodType; readonly stream?: boolean };
}

/** Converts a query parameter of digits to a number. */
const digits = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
const paging = {
  limit: z.preprocess(digits, z.int().min(1).max(1000)).default(100).describe('Maximum items of the page.'),
  after: z.string().max(512).optional().describe('Value of `next` of the previous page.'),
};
const id = z.object({ id: deploymentId().describe('ID of the deployment.') });

/** Pattern of an idempotency key: 8 to 128 letters, digits, dots, underscores, colons and dashes. */
export const idempotencyKeyPattern = /^[A-Za-z0-9._:-]{8,128}$/;

/** All operations of the service, by name. */
export const operations = {
  me: {
    method: 'get',
    path: '/v1/me',
    summary: 'Returns the authenticated caller.',
    response: { status: 200, schema: callerSchema },
  },
  projects: {
    method: 'get',
    path: '/v1/projects',
    summary: 'Lists the projects that the caller is a member of, on each cluster.',
    query: z.object(paging),
    response: { status: 200, schema: pageOf(projectSchema) },
  },
  clients: {
    method: 'get',
    path: '/v1/clients',
    summary:
      'Lists clients of the API server: of the projects that the caller is a member of, or of all for the platform team.',
    query: z.object(paging),
    response: { status: 200, schema: pageOf(projectClientsSchema) },
  },
  rollouts: {
    method: 'get',
    path: '/v1/rollouts',
    summary:
      'Lists clusters with the rollouts of their Platform, for every caller; workloads of projects that the caller may not see are only counted.',
    query: z.object(paging),
    response: { status: 200, schema: pageOf(clusterRolloutsSchema) },
  },
  workloads: {
    method: 'get',
    path: '/v1/workloads',
    summary: 'Lists workloads of the projects that the caller is a member of.',
    query: z.object({
      ...paging,
      project: name().describe('Filter by project.').optional(),
      target: name().describe('Filter by cluster.').optional(),
    }),
    response: { status: 200, schema: pageOf(workloadSchema) },
  },
  workload: {
    method: 'get',
    path: '/v1/projects/{project}/workloads/{target}/{kind}/{name}',
    summary: 'Returns a workload with its objects.',
    params: z.object({
      project: name().describe('Project.'),
      target: name().describe('Cluster.'),
      ...workloadKeyFields(),
    }),
    response: { status: 200, schema: workloadDetailSchema },
  },
  versions: {
    method: 'get',
    path: '/v1/projects/{project}/versions',
    summary: 'Lists published versions of the workflows of a project, newest first.',
    params: z.object({ project: name().describe('Project.') }),
    query: z.object({ ...paging, workflow: name().describe('Filter by workflow.').optional() }),
    response: { status: 200, schema: pageOf(versionSchema) },
  },
  preview: {
    method: 'post',
    path: '/v1/previews',
    summary: 'Previews a deployment with quota amounts and changes; writes nothing.',
    body: deployRequestSchema,
    response: { status: 200, schema: previewSchema },
  },
  deploy: {
    method: 'post',
    path: '/v1/deployments',
    summary: 'Deploys a published artifact to a stage.',
    body: deployRequestSchema,
    changes: true,
    idempotent: true,
    response: { status: 202, schema: deploymentSchema },
  },
  rollBack: {
    method: 'post',
    path: '/v1/rollbacks',
    summary: 'Rolls a stage back to a version that was Ready there.',
    body: rollBackRequestSchema,
    changes: true,
    idempotent: true,
    response: { status: 202, schema: deploymentSchema },
  },
  cancel: {
    method: 'post',
    path: '/v1/deployments/{id}/cancel',
    summary: 'Cancels a queued deployment.',
    params: id,
    changes: true,
    response: { status: 200, schema: deploymentSchema },
  },
  approve: {
    method: 'post',
    path: '/v1/approvals',
    summary: 'Approves an artifact for a stage that requires approval.',
    body: approvalRequestSchema,
    changes: true,
    response: { status: 201, schema: approvalSchema },
  },
  deployments: {
    method: 'get',
    path: '/v1/deployments',
    summary: 'Lists deployments, newest first.',
    query: z.object({
      ...paging,
      project: name().describe('Filter by project.').optional(),
      workflow: name().describe('Filter by workflow.').optional(),
      stage: name().describe('Filter by stage.').optional(),
    }),
    response: { status: 200, schema: pageOf(deploymentSchema) },
  },
  deployment: {
    method: 'get',
    path: '/v1/deployments/{id}',
    summary: 'Returns a deployment.',
    params: id,
    response: { status: 200, schema: deploymentSchema },
  },
  diff: {
    method: 'get',
    path: '/v1/deployments/{id}/diff',
    summary: 'Compares a deployment with the artifact that was previously Ready in its stage, both as published.',
    params: id,
    response: { status: 200, schema: diffSchema },
  },
  follow: {
    method: 'get',
    path: '/v1/deployments/{id}/events',
    summary: 'Streams the events of a deployment until it ends; resumes after the header Last-Event-ID.',
    params: id,
    resumes: true,
    response: { status: 200, schema: deploymentEventSchema, stream: true },
  },
  changes: {
    method: 'get',
    path: '/v1/changes',
    summary: 'Streams changes in the projects that the caller is a member of, from now on.',
    query: z.object({ project: name().describe('Filter by project.').optional() }),
    response: { status: 200, schema: changeSchema, stream: true },
  },
} as const satisfies Record<string, Operation>;

/** Name of an operation. */
export type OperationName = keyof typeof operations;
