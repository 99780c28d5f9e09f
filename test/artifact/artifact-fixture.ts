import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  apiVersion,
  parseManifest,
  safeParseWorkflow,
  type ManifestInput,
  type PlatformManifest,
  type WorkflowInput,
} from '../../lib/api';
import {
  audienceOf,
  prepareArtifact,
  resolveWorkflow,
  signedByKey,
  signedByToken,
  type ArtifactContent,
  type Envelope,
  type IssuerKey,
  type PreparedArtifact,
  type Provenance,
  type TrustedPublisher,
  type WorkflowInputs,
} from '../../lib/artifact';

type Fields = Readonly<Record<string, unknown>>;

/** A service of the project shop. */
export const service = (name: string, spec: Fields = {}): Fields => ({
  apiVersion,
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: {
    replicas: 2,
    template: { spec: { containers: [{ name: 'app', image: `registry.example.com/shop/${name}:dev` }] } },
    ...spec,
  },
});

/** A workflow of the project shop with fields of the test. */
export const workflowOf = (spec: Partial<WorkflowInput['spec']> = {}): WorkflowInput => ({
  apiVersion,
  kind: 'Workflow',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    workloads: { files: ['.'] },
    properties: {
      image: {
        type: 'image',
        substitutions: [{ workload: 'cart', fieldPath: 'spec.template.spec.containers[app].image' }],
      },
      replicas: { type: 'integer', default: 2, substitutions: [{ workload: 'cart', fieldPath: 'spec.replicas' }] },
      commit: {
        type: 'commit',
        substitutions: [{ workload: 'cart', fieldPath: 'metadata.annotations["example.com/commit"]' }],
      },
    },
    stages: [
      { name: 'staging', targets: ['staging-1'] },
      {
        name: 'production',
        targets: ['prod-1', 'prod-2'],
        // A test that declares its own properties has no replicas to set.
        ...(!spec.properties && { properties: { replicas: 12 } }),
        promotion: { when: 'Approved', soak: '10m' },
        stop: { timeout: '20m', onFailure: 'Rollback' },
      },
    ],
    ...spec,
  },
});

export const digest = 'a'.repeat(64);
export const commit = '3f786850e387550fdab836ed7e6dc881de23001b';
export const image = `registry.example.com/shop/cart:1.4.2@sha256:${digest}`;

/** Inputs of a workflow with fields of the test. */
export function resolved(
  spec: Partial<WorkflowInput['spec']> = {},
  inputs: Partial<WorkflowInputs> = {},
): ReturnType<typeof resolveWorkflow> {
  const { workflow, problems } = safeParseWorkflow(workflowOf(spec));
  if (!workflow) return { problems };
  const documents = [{ value: service('cart') }, { value: service('till') }];
  return resolveWorkflow({ workflow, documents, version: '1.4.2', commit, given: { image }, ...inputs });
}

/** Returns the resolved content; fails the test if there are problems. */
export function contentOf(inputs: Partial<WorkflowInputs> = {}): ArtifactContent {
  const { content, problems } = resolved({}, inputs);
  if (!content) throw new Error(JSON.stringify(problems));
  return content;
}

export const issuer = 'https://ci.example.com';
export const published = '2026-11-20T12:00:00.000Z';
export const provenance: Provenance = {
  issuer,
  repository: 'commerce/shop',
  ref: 'refs/heads/main',
  commit,
  review: 'https://git.example.com/commerce/shop/pull/7',
  run: 'https://ci.example.com/runs/1',
  published,
  tool: '0.2.0',
};

/** A publisher of commerce/shop, with the tokens of its issuer unless keys are given. */
export const publisher = (overrides: Partial<TrustedPublisher> = {}): TrustedPublisher => ({
  issuer,
  repository: 'commerce/shop',
  ref: 'refs/heads/main',
  ...overrides,
});

/** The Project shop with stages. */
export const projectOf = (stages?: readonly object[]): PlatformManifest<'Project'> =>
  parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'shop' },
    spec: { team: 'commerce', ...(stages && { stages }) },
  } as ManifestInput<'Project'>);

/** An artifact ready to be signed. */
export const prepared = (inputs: Partial<WorkflowInputs> = {}, statement: Partial<Provenance> = {}): PreparedArtifact =>
  prepareArtifact(contentOf(inputs), { ...provenance, ...statement });

/** A token issuer with its own key. A test double, because a test server has no public name. */
export class Issuer {
  readonly keys: readonly IssuerKey[];
  private readonly privateKey: KeyObject;

  constructor(
    private readonly algorithm: 'RS256' | 'ES256' = 'RS256',
    private readonly kid = 'one',
  ) {
    const { privateKey, publicKey } =
      algorithm === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    this.keys = [{ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: algorithm } as IssuerKey];
  }

  /** A token for a run of commerce/shop, valid for five minutes around noon of that day. */
  token(audience: unknown, claims: Fields = {}, header: Fields = {}): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Date.parse(published) / 1000;
    const { repository, ref } = provenance;
    const payload = {
      iss: issuer,
      aud: audience,
      iat: now - 10,
      exp: now + 290,
      repository,
      ref,
      sha: commit,
      ...claims,
    };
    const signed = `${part({ alg: this.algorithm, typ: 'JWT', kid: this.kid, ...header })}.${part(payload)}`;
    const key = { key: this.privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  /** Signs like a run of commerce/shop. */
  sign = ({ payload }: PreparedArtifact, claims: Fields = {}): Envelope =>
    signedByToken(payload, this.token(audienceOf(payload), claims));
}

/** A key of a CI without tokens. */
export const keyPair = (type: 'ed25519' | 'P-256' | 'P-384' = 'ed25519'): KeyObject =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: type })).privateKey;

/** An artifact signed by a key. */
export const signedWith = (key: KeyObject, artifact: PreparedArtifact): Envelope => signedByKey(artifact.payload, key);
