import * as z from 'zod';
import { textForm, workloadKinds, type WorkloadKind } from '../api';

/** Timestamp. */
export const timestamp = () => z.iso.datetime().describe('RFC 3339, in UTC.');

/** String that matches a pattern, with the message for other values. */
const patterned = (pattern: RegExp, description: string, example: string, max: number) =>
  z
    .string()
    .max(max)
    .check(textForm(pattern, `must be ${description}`, `use ${description}, such as "${example}"`));

/** Name of a project, workflow, stage or cluster. */
export const name = () => patterned(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case DNS label', 'cart', 63);
/** Digest of content. */
export const digest = () => patterned(/^sha256:[0-9a-f]{64}$/, 'a digest', `sha256:${'0'.repeat(64)}`, 71);
/** Version of a workflow. */
export const workflowVersion = () => patterned(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/, 'a version', '1.4.2', 128);
/** ID of a deployment. */
export const deploymentId = () => patterned(/^[0-9a-f]{20}$/, 'a deployment ID', '0123456789abcdef0123', 20);

/** `project/workflow@version`. */
export const reference = () =>
  patterned(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z]([-a-z0-9]*[a-z0-9])?@[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
    'project/workflow@version',
    'shop/cart@1.4.2',
    256,
  ).describe('A published artifact, as project/workflow@version.');

const kinds = Object.keys(workloadKinds) as [WorkloadKind, ...WorkloadKind[]];

/** Fields that identify a workload within its project on a cluster. */
export const workloadKeyFields = () => ({
  kind: z.enum(kinds).describe('Kind of the workload.'),
  name: patterned(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    'an object name',
    'cart',
    253,
  ).describe('Name of the workload.'),
});
