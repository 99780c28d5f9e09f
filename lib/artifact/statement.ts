import * as z from 'zod';
import { group } from '../api';
import { type ArtifactContent } from './artifact-content';
import { canonicalJson, readCanonicalJson } from './canonical-json';

const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'https://slsa.dev/provenance/v1';
const buildType = `https://${group}/pinion/publish/v1`;

/** Provenance of an artifact, as its signer states it. */
export interface Provenance {
  /** Issuer of the CI's tokens, or the URL of the CI if it signs with a key. */
  readonly issuer: string;
  /** Repository name in the CI. */
  readonly repository: string;
  /** Full ref, such as `refs/heads/main`. */
  readonly ref: string;
  /** Full hash. */
  readonly commit: string;
  /** URL or number of the review. */
  readonly review?: string | undefined;
  /** URL of the CI run. */
  readonly run?: string | undefined;
  /** Time of publication, RFC 3339 in UTC. */
  readonly published: string;
  /** Version of pinion. */
  readonly tool: string;
}

/** Subject of a statement: a content by name and version. */
export interface Subject {
  /** `project/name@version`. */
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Digest of the workloads of all stages. @default - none, in statements of earlier versions */
  readonly workloads?: string | undefined;
}

/** Suffix of the name of the subject with the digest of the workloads. */
const workloadsSuffix = '#workloads';

const digestSet = (digest: string) => ({ sha256: digest.replace(/^sha256:/, '') });

/** Returns the reference of a content: `project/name@version`. */
export const referenceOf = ({
  project,
  name,
  version,
}: Pick<ArtifactContent, 'project' | 'name' | 'version'>): string => `${project}/${name}@${version}`;

/** Encodes an in-toto Statement v1 with SLSA provenance v1. */
export function statementBytes(subject: Subject, provenance: Provenance): Uint8Array {
  const { issuer, repository, ref, commit, review, run, published, tool } = provenance;
  const statement = {
    _type: statementType,
    subject: [
      { name: subject.name, digest: digestSet(subject.digest) },
      ...(subject.workloads === undefined
        ? []
        : [{ name: `${subject.name}${workloadsSuffix}`, digest: digestSet(subject.workloads) }]),
    ],
    predicateType,
    predicate: {
      buildDefinition: {
        buildType,
        externalParameters: { repository, ref, review },
        resolvedDependencies: [{ name: 'source', digest: { gitCommit: commit } }],
      },
      runDetails: {
        builder: { id: issuer, version: { pinion: tool } },
        metadata: { invocationId: run, finishedOn: published },
      },
    },
  };
  return Buffer.from(canonicalJson(statement));
}

const subject = z.strictObject({
  name: z.string(),
  digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
});

const schema = z.strictObject({
  _type: z.literal(statementType),
  subject: z.tuple([subject]).rest(subject),
  predicateType: z.literal(predicateType),
  predicate: z.strictObject({
    buildDefinition: z.strictObject({
      buildType: z.literal(buildType),
      externalParameters: z.strictObject({ repository: z.string(), ref: z.string(), review: z.string().optional() }),
      resolvedDependencies: z.tuple([
        z.strictObject({ name: z.literal('source'), digest: z.strictObject({ gitCommit: z.string() }) }),
      ]),
    }),
    runDetails: z.strictObject({
      builder: z.strictObject({ id: z.string(), version: z.strictObject({ pinion: z.string() }) }),
      metadata: z.strictObject({
        invocationId: z.string().optional(),
        finishedOn: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      }),
    }),
  }),
});

/** Decodes a statement; undefined unless the bytes are exactly what `statementBytes` writes. */
export function readStatement(
  bytes: Uint8Array,
): { readonly subject: Subject; readonly provenance: Provenance } | undefined {
  const parsed = schema.safeParse(readCanonicalJson(bytes));
  if (!parsed.success) return undefined;
  const { subject: subjects, predicate } = parsed.data;
  const [artifact, workloads] = subjects;
  if (subjects.length > 2 || (workloads && workloads.name !== `${artifact.name}${workloadsSuffix}`)) return undefined;
  const { buildDefinition, runDetails } = predicate;
  return {
    subject: {
      name: artifact.name,
      digest: `sha256:${artifact.digest.sha256}`,
      ...(workloads && { workloads: `sha256:${workloads.digest.sha256}` }),
    },
    provenance: {
      issuer: runDetails.builder.id,
      ...buildDefinition.externalParameters,
      commit: buildDefinition.resolvedDependencies[0].digest.gitCommit,
      run: runDetails.metadata.invocationId,
      published: runDetails.metadata.finishedOn,
      tool: runDetails.builder.version.pinion,
    },
  };
}
