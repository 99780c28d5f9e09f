import * as z from 'zod';
import { isWorkloadKind, type PropertyValue } from '../api';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { sha256 } from './digest';

/** Format version of the content of an artifact. */
export const contentFormat = 'pinion.artifact/1';

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string().refine(isWorkloadKind),
  metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
});
const schema = z.strictObject({
  format: z.literal(contentFormat),
  project: z.string(),
  name: z.string(),
  version: z.string(),
  stages: z.array(
    z.strictObject({
      name: z.string(),
      targets: z.array(z.string()),
      properties: values,
      promotion: z.strictObject({ when: z.enum(['Ready', 'Approved']), soak: z.string() }),
      stop: z.strictObject({ timeout: z.string(), onFailure: z.enum(['Keep', 'Rollback']) }),
      resources: z.array(resource),
    }),
  ),
});

/** Custom resource to deploy. */
export interface ArtifactResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace: string };
  readonly [field: string]: unknown;
}

/** Stage of an artifact: targets, promotion condition, and the exact resources to apply. */
export interface ArtifactStage {
  readonly name: string;
  /** Names of clusters. */
  readonly targets: readonly string[];
  /** Values of all build properties in this stage. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** Condition on the previous stage; ignored for the first. `soak` is a duration. */
  readonly promotion: { readonly when: 'Ready' | 'Approved'; readonly soak: string };
  /** `timeout` is a duration. */
  readonly stop: { readonly timeout: string; readonly onFailure: 'Keep' | 'Rollback' };
  readonly resources: readonly ArtifactResource[];
}

/** Content of an artifact. Its encoding is canonical, so equal content has equal digests. */
export interface ArtifactContent {
  readonly format: typeof contentFormat;
  readonly project: string;
  /** Name of the workflow. */
  readonly name: string;
  readonly version: string;
  readonly stages: readonly ArtifactStage[];
}

/** Encodes a content as canonical JSON. */
export const contentBytes = (content: ArtifactContent): Uint8Array => Buffer.from(canonicalJson(content));

/** Returns the digest of bytes: `sha256:` and 64 hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${sha256(bytes)}`;

/** Decodes a content; undefined unless the bytes are exactly what `contentBytes` writes. */
export function readContent(bytes: Uint8Array): ArtifactContent | undefined {
  const parsed = schema.safeParse(readCanonicalJson(bytes));
  return parsed.success ? parsed.data : undefined;
}
