import * as z from 'zod';
import { checkShape, differenceShape } from './check-shapes';
import {
  approvalRequestShape,
  approvalShape,
  callerShape,
  deploymentEventShape,
  deploymentShape,
  deployRequestShape,
  rollBackRequestShape,
} from './deployment-shapes';
import { deploymentId, name, workloadKey } from './names';
import { changeShape } from './shapes';
import { pageOf, projectShape, versionShape, workloadDetailShape, workloadShape } from './view-shapes';

/** One request that the service answers. */
export interface Operation {
  readonly method: 'get' | 'post';
  /** With parameters in braces, as OpenAPI has them. */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  /** Parameters in the path, all required. */
  readonly params?: z.ZodObject;
  /** Parameters behind the question mark. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether it changes something. */
  readonly changes?: boolean;
  /** Whether the header Idempotency-Key must be given. */
  readonly idempotent?: boolean;
  /** Whether a stream goes on after the number in the header Last-Event-ID, and says when it has come to its end. */
  readonly resumes?: boolean;
  /** Status of the answer, and what it holds; of a stream, each event of it. */
  readonly answer: { readonly status: 200 | 201 | 202; readonly shape: z.ZodType; readonly stream?: boolean };
}

/** Behind a question mark a number is written as text: digits and nothing else. */
const digits = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
const paging = {
  limit: z.preprocess(digits, z.int().min(1).max(1000)).default(100).describe('Most items of the page.'),
  after: z.string().max(512).optional().describe('Where the page before ended: its `next`.'),
};
const id = z.object({ id: deploymentId().describe('Name of the deployment.') });

/** Form of an idempotency key: 8 to 128 letters, digits, dots, underscores, colons and dashes. */
export const idempotencyKeyForm = /^[A-Za-z0-9._:-]{8,128}$/;

/** All operations of the service, by name. */
export const operations = {
  me: {
    method: 'get',
    path: '/v1/me',
    summary: 'Says who asks, as the service sees it.',
    answer: { status: 200, shape: callerShape },
  },
  projects: {
    method: 'get',
    path: '/v1/projects',
    summary: 'Lists the projects that the caller is a member of, on each cluster.',
    query: z.object(paging),
    answer: { status: 200, shape: pageOf(projectShape) },
  },
  workloads: {
    method: 'get',
    path: '/v1/workloads',
    summary: 'Lists workloads of the projects that the caller is a member of.',
    query: z.object({
      ...paging,
      project: name().describe('Only those of this project.').optional(),
      target: name().describe('Only those on this cluster.').optional(),
    }),
    answer: { status: 200, shape: pageOf(workloadShape) },
  },
  workload: {
    method: 'get',
    path: '/v1/projects/{project}/workloads/{target}/{kind}/{name}',
    summary: 'Shows a workload with what it became.',
    params: z.object({
      project: name().describe('Project.'),
      target: name().describe('Cluster.'),
      ...workloadKey(),
    }),
    answer: { status: 200, shape: workloadDetailShape },
  },
  versions: {
    method: 'get',
    path: '/v1/projects/{project}/versions',
    summary: 'Lists published versions of the workflows of a project, the newest first.',
    params: z.object({ project: name().describe('Project.') }),
    query: z.object({ ...paging, workflow: name().describe('Only those of this workflow.').optional() }),
    answer: { status: 200, shape: pageOf(versionShape) },
  },
  check: {
    method: 'post',
    path: '/v1/checks',
    summary: 'Says what a deployment would do, with numbers; nothing is written.',
    body: deployRequestShape,
    answer: { status: 200, shape: checkShape },
  },
  deploy: {
    method: 'post',
    path: '/v1/deployments',
    summary: 'Deploys a published artifact to a stage.',
    body: deployRequestShape,
    changes: true,
    idempotent: true,
    answer: { status: 202, shape: deploymentShape },
  },
  rollBack: {
    method: 'post',
    path: '/v1/rollbacks',
    summary: 'Deploys what was Ready in a stage before.',
    body: rollBackRequestShape,
    changes: true,
    idempotent: true,
    answer: { status: 202, shape: deploymentShape },
  },
  cancel: {
    method: 'post',
    path: '/v1/deployments/{id}/cancel',
    summary: 'Takes back a deployment that waits in the queue.',
    params: id,
    changes: true,
    answer: { status: 200, shape: deploymentShape },
  },
  approve: {
    method: 'post',
    path: '/v1/approvals',
    summary: 'Lets an artifact into a stage that asks for approval.',
    body: approvalRequestShape,
    changes: true,
    answer: { status: 201, shape: approvalShape },
  },
  deployments: {
    method: 'get',
    path: '/v1/deployments',
    summary: 'Lists deployments, the newest first.',
    query: z.object({
      ...paging,
      project: name().describe('Only those of this project.').optional(),
      workflow: name().describe('Only those of this workflow.').optional(),
      stage: name().describe('Only those to this stage.').optional(),
    }),
    answer: { status: 200, shape: pageOf(deploymentShape) },
  },
  deployment: {
    method: 'get',
    path: '/v1/deployments/{id}',
    summary: 'Shows a deployment.',
    params: id,
    answer: { status: 200, shape: deploymentShape },
  },
  difference: {
    method: 'get',
    path: '/v1/deployments/{id}/difference',
    summary: 'Says what a deployment changes against what was Ready in its stage before, as both were published.',
    params: id,
    answer: { status: 200, shape: differenceShape },
  },
  follow: {
    method: 'get',
    path: '/v1/deployments/{id}/events',
    summary: 'Streams what happens to a deployment until it ends; resumes after the header Last-Event-ID.',
    params: id,
    resumes: true,
    answer: { status: 200, shape: deploymentEventShape, stream: true },
  },
  changes: {
    method: 'get',
    path: '/v1/changes',
    summary: 'Streams what changes in the projects that the caller is a member of, from now on.',
    query: z.object({ project: name().describe('Only what changes in this project.').optional() }),
    answer: { status: 200, shape: changeShape, stream: true },
  },
} as const satisfies Record<string, Operation>;

/** Name of an operation. */
export type OperationName = keyof typeof operations;
