import { generateKeyPairSync } from 'node:crypto';
import { assert, asyncProperty, nat } from 'fast-check';
import { metadataKeys } from '../../lib/api';
import {
  IssuerUnreachable,
  publicKeyText,
  signAuthorization,
  verifyWorkload,
  type ArtifactResource,
  type Authorization,
  type VerificationStore,
  type WorkloadTrust,
} from '../../lib/artifact';
import { contentOf, keyPair, publisher, service, signedWith } from './artifact-fixture';
import { DeployedStage, type LiveResource } from './workload-fixture';

type Fields = Readonly<Record<string, unknown>>;

const stage = new DeployedStage();
const live = stage.live();
const trust = stage.trust();

const verdict = (workload: ArtifactResource, overrides: Partial<WorkloadTrust> = {}) =>
  verifyWorkload(workload, { ...trust, ...overrides });
const refusal = async (workload: ArtifactResource, overrides: Partial<WorkloadTrust> = {}): Promise<string> => {
  const result = await verdict(workload, overrides);
  return result.accepted ? 'accepted' : `${result.reason}: ${result.message}`;
};
const withAnnotation = (workload: LiveResource, key: string, value: string | undefined): LiveResource => ({
  ...workload,
  metadata: { ...workload.metadata, annotations: { ...workload.metadata.annotations, [key]: value } },
});

test('accepts a deployed workload with the defaults of the API server, and returns what was published', async () => {
  const result = await verdict(live);
  expect(result).toMatchObject({ accepted: true, authorization: { sequence: 7, intent: 'deploy' } });
  const { spec, metadata } = (result as Extract<typeof result, { accepted: true }>).part;
  expect(Object.keys(spec as Fields)).toEqual(['template']);
  expect(metadata).toEqual({
    name: 'cart',
    namespace: 'shop',
    annotations: { 'example.com/commit': expect.any(String) as string },
  });
});

test('a change of replicas, or a requested restart or retry of hooks, needs no new proof', async () => {
  expect(await refusal({ ...live, spec: { ...live.spec, replicas: 40 } })).toBe('accepted');
  expect(await refusal(withAnnotation(live, metadataKeys.restart, '2026-11-23T12:00:00Z'))).toBe('accepted');
  expect(await refusal(withAnnotation(live, metadataKeys.retry, '2026-11-23T12:00:00Z'))).toBe('accepted');
});

test.each([1, 2, 3, 4, 5, 7, 8, 9, 17])(
  'every workload of an artifact with %d workloads is accepted',
  async (count) => {
    const documents = Array.from({ length: count }, (_, index) => ({
      value: service(index === 0 ? 'cart' : `s-${index}`),
    }));
    const many = new DeployedStage(contentOf({ documents }));
    const envelope = many.ci.sign(many.prepared);
    for (const resource of many.stage.resources)
      expect(await verifyWorkload(many.live(resource, { envelope }), many.trust())).toMatchObject({ accepted: true });
  },
);

test('a proof grows with the logarithm of the number of workloads', () => {
  const sizeOf = (count: number): number => {
    const documents = Array.from({ length: count }, (_, at) => ({ value: service(at === 0 ? 'cart' : `s-${at}`) }));
    const many = new DeployedStage(contentOf({ documents }));
    return String(many.live().metadata.annotations[metadataKeys.proof]).length;
  };
  const [few, many] = [sizeOf(4), sizeOf(256)];
  expect(many - few).toBeLessThan(400);
});

test('a forged spec is not what was signed', async () => {
  const forged = structuredClone(live) as unknown as {
    spec: { template: { spec: { containers: { image: string }[] } } };
  };
  for (const container of forged.spec.template.spec.containers) container.image = 'registry.example.com/evil:1';
  expect(await refusal(forged as unknown as LiveResource)).toBe(
    'OtherWorkload: has fields that differ from the authorized ones; deploy it again with the submission service',
  );
});

test('every authorized field is bound: a copy to another place is refused', async () => {
  const changes: readonly Partial<Authorization>[] = [
    { cluster: 'prod-2' },
    { project: 'web' },
    { stage: 'staging' },
    { kind: 'PinterestJobSet' },
    { name: 'till' },
    { part: `sha256:${'0'.repeat(64)}` },
    { artifact: 'shop/web@9.9.9' },
    { digest: `sha256:${'0'.repeat(64)}` },
  ];
  for (const authorization of changes)
    expect([authorization, await refusal(stage.live(undefined, { authorization }))]).toEqual([
      authorization,
      expect.stringMatching(/^(OtherWorkload|ProofInvalid): /),
    ]);
});

test('a copy of the whole workload under another name or in another project is refused', async () => {
  for (const change of [{ name: 'cart-2' }, { namespace: 'web' }])
    expect(await refusal({ ...live, metadata: { ...live.metadata, ...change } })).toMatch(/^OtherWorkload: /);
  expect(await refusal({ ...live, kind: 'PinterestStatefulSet' })).toMatch(/^OtherWorkload: /);
  expect(await refusal(live, { cluster: 'prod-2', project: stage.project({ clusters: ['prod-2'] }) })).toMatch(
    /^OtherWorkload: is authorized for cluster prod-1, not prod-2/,
  );
});

test('forged labels and annotations of the deployment are refused', async () => {
  const { labels } = live.metadata;
  const elsewhere = { ...live, metadata: { ...live.metadata, labels: { ...labels, [metadataKeys.stage]: 'staging' } } };
  expect(await refusal(elsewhere)).toMatch(/^ProofInvalid: /);
  for (const key of [metadataKeys.artifact, metadataKeys.artifactDigest, metadataKeys.deploymentSequence])
    expect(await refusal(withAnnotation(live, key, 'forged'))).toMatch(/^ProofInvalid: is authorized with /);
});

test('workloads without a proof or an authorization are refused', async () => {
  for (const key of [metadataKeys.proof, metadataKeys.authorization])
    expect(await refusal(withAnnotation(live, key, undefined))).toBe(
      `ProofMissing: has no annotation ${key}; deploy it with the submission service`,
    );
});

test('only keys of the Platform authorize, and several allow a rotation', async () => {
  const next = publicKeyText(generateKeyPairSync('ed25519').privateKey);
  const current = publicKeyText(stage.deploymentKey);
  expect(await refusal(live, { deploymentKeys: [next, current] })).toBe('accepted');
  expect(await refusal(live, { deploymentKeys: [next] })).toMatch(/^AuthorizationInvalid: /);
  expect(await refusal(live, { deploymentKeys: [] })).toBe(
    'DeploymentKeysMissing: spec.deploymentKeys of the Platform is empty; add the public key of the submission service to it',
  );
});

test('an older deployment is a replay; a rollback has a sequence number of its own', async () => {
  const { part } = stage.authorizationOf(stage.stage.resources[0] as ArtifactResource);
  const other = `sha256:${'1'.repeat(64)}`;
  expect(await refusal(live, { accepted: { sequence: 6, part: other } })).toBe('accepted');
  expect(await refusal(live, { accepted: { sequence: 7, part } })).toBe('accepted');
  expect(await refusal(live, { accepted: { sequence: 7, part: other } })).toMatch(/^Superseded: /);
  expect(await refusal(live, { accepted: { sequence: 8, part } })).toBe(
    'Superseded: belongs to deployment 7, but deployment 8 was accepted before; roll back with the submission service, which authorizes it again',
  );
  const back = stage.live(undefined, { authorization: { sequence: 9, intent: 'rollback' } });
  expect(await refusal(back, { accepted: { sequence: 8, part: other } })).toBe('accepted');
});

test('the stage must own the cluster and trust the publisher', async () => {
  expect(await refusal(live, { project: stage.project({ clusters: ['prod-2'] }) })).toMatch(
    /^OtherWorkload: is authorized for stage production, which does not own cluster prod-1/,
  );
  const project = stage.project({ publishers: [publisher({ repository: 'commerce/other' })] });
  expect(await refusal(live, { project })).toMatch(/^UntrustedPublisher: shop\/web@1.4.2 was published by /);
  const unsigned = stage.live(undefined, { envelope: null });
  expect(await refusal(unsigned)).toMatch(/^ProofInvalid: has a proof without a signature of a publisher/);
  const forged = stage.live(undefined, { envelope: signedWith(keyPair(), stage.prepared) });
  expect(await refusal(forged)).toMatch(/^UntrustedPublisher: /);
});

test('a stage with deployers only needs the authorization alone', async () => {
  const [production] = stage.project().spec.stages ?? [];
  const stages = [{ ...production, publishers: [], deployers: ['shop-release'] }] as never;
  const project = { ...stage.project(), spec: { ...stage.project().spec, stages } };
  expect(await refusal(stage.live(undefined, { envelope: null }), { project })).toBe('accepted');
});

test('break-glass deployments bypass the publishers only where the stage lists groups', async () => {
  const bypassed = stage.live(undefined, { envelope: null, authorization: { intent: 'breakGlass' } });
  expect(await refusal(bypassed, { project: stage.project({ breakGlass: ['shop-oncall'] }) })).toBe('accepted');
  expect(await refusal(bypassed)).toMatch(/^ProofInvalid: /);
});

/** Returns a statement as earlier versions wrote it. */
function withoutWorkloads(payload: Uint8Array): Uint8Array {
  const statement = JSON.parse(Buffer.from(payload).toString()) as { readonly subject: readonly unknown[] };
  return Buffer.from(JSON.stringify({ ...statement, subject: statement.subject.slice(0, 1) }));
}

test('an artifact that was published without digests of workloads must be published again', async () => {
  const envelope = signedWith(keyPair(), { ...stage.prepared, payload: withoutWorkloads(stage.prepared.payload) });
  const old = stage.live(undefined, { envelope });
  expect(await refusal(old)).toMatch(/^ProofInvalid: was published without digests .*; publish the artifact again/);
});

test('a token stays verified when the issuer rotates its keys, and an outage says so', async () => {
  const known = new Set<string>();
  const verifications: VerificationStore = {
    isVerified: (envelope) => Promise.resolve(known.has(envelope)),
    markVerified: (envelope) => Promise.resolve(void known.add(envelope)),
  };
  const outage = () => Promise.reject(new IssuerUnreachable('cannot fetch the keys of the issuer'));
  expect(await refusal(live, { issuerKeys: outage, verifications })).toMatch(/^IssuerUnreachable: cannot fetch/);
  expect(await refusal(live, { issuerKeys: () => Promise.resolve([]), verifications })).toMatch(/^UntrustedPublisher/);
  expect(await refusal(live, { verifications })).toBe('accepted');
  expect(await refusal(live, { issuerKeys: outage, verifications })).toBe('accepted');
});

/** Returns all paths to values of a JSON document. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]));
}

test('no published field can be changed or removed', async () => {
  const published = stage.stage.resources[0] as ArtifactResource;
  const paths = pathsOf(published).filter((path) => path.join('.') !== 'spec.replicas');
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths)
    for (const change of ['change', 'remove'] as const) {
      const forged = structuredClone(live) as unknown as Record<string, unknown>;
      const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, forged);
      const last = path.at(-1) as string;
      if (change === 'remove') Reflect.deleteProperty(parent, last);
      else parent[last] = `${String(parent[last])}x`;
      expect([path, change, await refusal(forged as unknown as LiveResource)]).toEqual([
        path,
        change,
        expect.stringMatching(/^(OtherWorkload|ProofInvalid): /),
      ]);
    }
});

test('no character of a proof or an authorization can be changed', async () => {
  await assert(
    asyncProperty(nat(), nat(93), nat(1), async (position, character, which) => {
      const key = which === 0 ? metadataKeys.proof : metadataKeys.authorization;
      const text = live.metadata.annotations[key] as string;
      const at = position % text.length;
      const replacement = String.fromCharCode(33 + character);
      if (text[at] === replacement) return;
      const changed = withAnnotation(live, key, text.slice(0, at) + replacement + text.slice(at + 1));
      const result = await verdict(changed);
      // Other compressed forms of the same outline mean the same.
      if (result.accepted) expect(result).toEqual(await verdict(live));
    }),
    { numRuns: 400 },
  );
});

test('an authorization of one type cannot stand for another document', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const authorization = signAuthorization(stage.authorizationOf(live), privateKey);
  const statement = authorization.replace('pinion.authorization', 'in-toto');
  const deploymentKeys = [publicKeyText(privateKey)];
  expect(await refusal(withAnnotation(live, metadataKeys.authorization, statement), { deploymentKeys })).toMatch(
    /^AuthorizationInvalid: /,
  );
});
