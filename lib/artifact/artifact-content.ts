import * as z from 'zod';
import { isWorkloadKind, type PropertyValue } from '../api';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { sha256 } from './digest';

/** Form of the content of an artifact; one that is read differently gets another. */
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
      promotion: z.strictObject({ when: z.enum(['ready', 'approved']), soak: z.string() }),
      stop: z.strictObject({ after: z.string(), action: z.enum(['hold', 'rollBack']) }),
      resources: z.array(resource),
    }),
  ),
});

/** A custom resource as it is deployed. */
export interface ArtifactResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace: string };
  readonly [field: string]: unknown;
}

/** One stage of an artifact: where it goes, what it waits for, and exactly what is applied there. */
export interface ArtifactStage {
  readonly name: string;
  /** Names of clusters. */
  readonly targets: readonly string[];
  /** Values of all build properties in this stage. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** Condition on the stage before; the first has none. `soak` is a duration. */
  readonly promotion: { readonly when: 'ready' | 'approved'; readonly soak: string };
  /** `after` is a duration. */
  readonly stop: { readonly after: string; readonly action: 'hold' | 'rollBack' };
  readonly resources: readonly ArtifactResource[];
}

/** What an artifact holds; its bytes are one text of it, so that equal content has one address. */
export interface ArtifactContent {
  readonly format: typeof contentFormat;
  readonly project: string;
  /** Name of the workflow. */
  readonly name: string;
  readonly version: string;
  readonly stages: readonly ArtifactStage[];
}

/** The bytes of a content. */
export const contentBytes = (content: ArtifactContent): Uint8Array => Buffer.from(canonicalJson(content));

/** Address of a content: `sha256:` and 64 hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${sha256(bytes)}`;

/** The content that bytes hold; undefined where they are not exactly what `contentBytes` writes. */
export function readContent(bytes: Uint8Array): ArtifactContent | undefined {
  const parsed = schema.safeParse(readCanonicalJson(bytes));
  return parsed.success ? parsed.data : undefined;
}
