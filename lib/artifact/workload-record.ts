import * as z from 'zod';
import { metadataKeys } from '../api';
import { type ArtifactResource } from './artifact-content';
import { authorizationFields, type Authorization } from './authorization';
import { sha256 } from './digest';
import { partDigest, type WorkloadPart } from './workload-part';

/** Format version of records. */
const format = 'pinion.verified-workload/1';

const schema = z.strictObject({
  format: z.literal(format),
  part: z.looseObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
  }),
  deployment: z
    .strictObject({ authorization: authorizationFields, envelope: z.string().optional(), annotations: z.string() })
    .optional(),
  breakGlass: z.strictObject({ annotation: z.string(), since: z.int() }).optional(),
});

/** What the controller accepted last for a workload. */
export interface WorkloadRecord {
  /** What its objects follow. */
  readonly part: WorkloadPart;
  /** Last deployment with a proof. @default - none; it was only changed in an emergency */
  readonly deployment?: AcceptedDeployment;
  /** Emergency in which the part was written. @default - none; the part belongs to the deployment */
  readonly breakGlass?: {
    /** Text of its annotation. */
    readonly annotation: string;
    /** Time at which the annotation was first seen, in milliseconds since 1970. */
    readonly since: number;
  };
}

/** Deployment whose proof was verified. */
export interface AcceptedDeployment {
  readonly authorization: Authorization;
  /** Hash of the envelope of the publisher. @default - the stage has no publishers, or they were bypassed */
  readonly envelope?: string;
  /** Hash of the annotations that prove it. */
  readonly annotations: string;
}

/** Returns a record as stored in the cluster. */
export const storedRecord = (record: WorkloadRecord): object => ({ format, ...record });

/** Decodes a stored record of a workload; undefined if it is malformed or belongs to another one. */
export function readWorkloadRecord(
  stored: unknown,
  { kind, metadata: { name, namespace } }: ArtifactResource,
): WorkloadRecord | undefined {
  const { data } = schema.safeParse(stored);
  if (!data) return undefined;
  const { format: _, deployment, breakGlass, ...rest } = data;
  const part = rest.part as WorkloadPart;
  const isOwn = part.kind === kind && part.metadata['name'] === name && part.metadata['namespace'] === namespace;
  if (!isOwn || (!deployment && !breakGlass)) return undefined;
  if (deployment && !breakGlass && partDigest(part) !== deployment.authorization.part) return undefined;
  return { part, ...(deployment && { deployment: deploymentOf(deployment) }), ...(breakGlass && { breakGlass }) };
}

const deploymentOf = ({
  envelope,
  ...rest
}: NonNullable<z.output<typeof schema>['deployment']>): AcceptedDeployment => ({
  ...rest,
  ...(envelope !== undefined && { envelope }),
});

/** Returns the hash of the annotations of a workload that prove its deployment. */
export function proofHash({ metadata }: ArtifactResource): string {
  const annotations = (metadata['annotations'] ?? {}) as Readonly<Record<string, unknown>>;
  return sha256(JSON.stringify([annotations[metadataKeys.proof] ?? '', annotations[metadataKeys.authorization] ?? '']));
}
