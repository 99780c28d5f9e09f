import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { type StoredSignature } from './artifact';
import { type ArtifactContent, type ArtifactResource } from './artifact-content';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { envelopeBytes, readEnvelope } from './envelope';
import { inclusionPath, rootOfPosition } from './merkle-tree';
import { extractOutline, isOutline, outlineOf, type Outline } from './outline';
import { readStatement, type Subject } from './statement';
import { workloadLeafHash, workloadLeaves, workloadPart, type WorkloadLeaf, type WorkloadPart } from './workload-part';

/** Format version of proofs. */
const format = 'pinion.proof/1';

/** Maximum size of an outline, in bytes: that of an object of the API server. */
const maxOutlineSize = 1_572_864;

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const schema = z.strictObject({
  format: z.literal(format),
  outline: base64,
  inclusion: z
    .strictObject({ envelope: z.looseObject({}), index: z.int(), size: z.int(), path: z.array(base64).max(64) })
    .optional(),
});

/** What a workload carries: the outline of its part, and a signature of a publisher that covers the part. */
export interface WorkloadProof {
  /** Structure of the published part. */
  readonly outline: Outline;
  /** Signature, and where the part is in the signed artifact. @default - none; the stage has no publishers */
  readonly inclusion?: WorkloadInclusion;
}

/** Signature of an artifact, and the position of a workload among those that it covers. */
export interface WorkloadInclusion {
  readonly signature: StoredSignature;
  /** Artifact that the signature states. */
  readonly subject: Subject;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Buffer[];
}

/**
 * Returns the text of the proof of a resource in a stage. Its size grows with the structure of the resource and with the
 * logarithm of the number of workloads, not with the artifact.
 */
export function proofText(
  content: Pick<ArtifactContent, 'stages'>,
  stage: string,
  resource: ArtifactResource,
  signature: StoredSignature | undefined,
): string {
  const leaves = workloadLeaves(content);
  const index = leaves.findIndex(
    (leaf) => leaf.stage === stage && leaf.kind === resource.kind && leaf.name === resource.metadata.name,
  );
  const outline = deflateRawSync(canonicalJson(outlineOf(workloadPart(resource)))).toString('base64');
  const inclusion = signature && {
    envelope: readCanonicalJson(envelopeBytes(signature.envelope)),
    index,
    size: leaves.length,
    path: inclusionPath(leaves.map(workloadLeafHash), index).map((hash) => hash.toString('base64')),
  };
  return canonicalJson({ format, outline, inclusion });
}

/** Decodes a proof; undefined if it is malformed. Does not verify it. */
export function readProof(text: string): WorkloadProof | undefined {
  const parsed = schema.safeParse(readCanonicalJson(Buffer.from(text)));
  if (!parsed.success) return undefined;
  const outline = readOutline(parsed.data.outline);
  if (outline === undefined) return undefined;
  if (!parsed.data.inclusion) return { outline };
  const { envelope: fields, ...position } = parsed.data.inclusion;
  const envelope = readEnvelope(Buffer.from(canonicalJson(fields)));
  const statement = envelope && readStatement(envelope.payload);
  if (!envelope || !statement) return undefined;
  const { subject, provenance } = statement;
  return { outline, inclusion: { signature: { envelope, provenance }, subject, ...position } };
}

function readOutline(bytes: Uint8Array): Outline | undefined {
  try {
    const outline: unknown = JSON.parse(inflateRawSync(bytes, { maxOutputLength: maxOutlineSize }).toString());
    return isOutline(outline) ? outline : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the published part of a live workload, as its proof describes it; undefined if the workload does not have it. */
export function publishedPart(live: ArtifactResource, { outline }: WorkloadProof): WorkloadPart | undefined {
  const part = extractOutline(workloadPart(live), outline);
  return part as WorkloadPart | undefined;
}

/** Returns whether the signed artifact contains a workload. */
export function includesWorkload({ subject, ...position }: WorkloadInclusion, leaf: WorkloadLeaf): boolean {
  const root = rootOfPosition(workloadLeafHash(leaf), position);
  return root !== undefined && subject.workloads === `sha256:${root.toString('hex')}`;
}
