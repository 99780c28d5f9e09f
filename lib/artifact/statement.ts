import * as z from 'zod';
import { group } from '../api';
import { type ArtifactContent } from './artifact-content';
import { canonicalJson, readCanonicalJson } from './canonical-json';

const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'https://slsa.dev/provenance/v1';
const buildType = `https://${group}/pinion/publish/v1`;

/** Where an artifact comes from, as who signed it says. */
export interface Provenance {
  /** Issuer that speaks for the CI: of its tokens, or its own address where it signs by a key. */
  readonly issuer: string;
  /** Repository as the CI names it. */
  readonly repository: string;
  /** Full ref, `refs/heads/main`. */
  readonly ref: string;
  /** Whole hash. */
  readonly commit: string;
  /** Where it was reviewed: a URL or a number. */
  readonly review?: string | undefined;
  /** The run that published it: a URL. */
  readonly run?: string | undefined;
  /** When it was published, RFC 3339 in UTC. */
  readonly published: string;
  /** Version of pinion. */
  readonly tool: string;
}

/** What a statement is about: one content under its name and version. */
export interface Subject {
  /** `project/name@version`. */
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

/** The reference of a content: `project/name@version`. */
export const referenceOf = ({
  project,
  name,
  version,
}: Pick<ArtifactContent, 'project' | 'name' | 'version'>): string => `${project}/${name}@${version}`;

/** The bytes of an in-toto Statement v1 with SLSA provenance v1. */
export function statementBytes(subject: Subject, provenance: Provenance): Uint8Array {
  const { issuer, repository, ref, commit, review, run, published, tool } = provenance;
  const statement = {
    _type: statementType,
    subject: [{ name: subject.name, digest: { sha256: subject.digest.replace(/^sha256:/, '') } }],
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

const schema = z.strictObject({
  _type: z.literal(statementType),
  subject: z.tuple([
    z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) }),
  ]),
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

/** What the bytes of a statement say; undefined where they are not exactly what `statementBytes` writes. */
export function readStatement(
  bytes: Uint8Array,
): { readonly subject: Subject; readonly provenance: Provenance } | undefined {
  const parsed = schema.safeParse(readCanonicalJson(bytes));
  if (!parsed.success) return undefined;
  const { subject, predicate } = parsed.data;
  const { buildDefinition, runDetails } = predicate;
  return {
    subject: { name: subject[0].name, digest: `sha256:${subject[0].digest.sha256}` },
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
