import { createHmac } from 'node:crypto';
import { explainProblem } from '../../lib/api';
import {
  audienceOf,
  verifyArtifact,
  IssuerUnreachable,
  publicKeyText,
  signedByToken,
  stageRule,
  type Envelope,
  type IssuerKeys,
  type PreparedArtifact,
  type TrustedPublisher,
  type VerificationStore,
} from '../../lib/artifact';
import { envelopeName, readArtifact } from '../../lib/artifact/artifact';
import { envelopeBytes } from '../../lib/artifact/envelope';
import { issuer, Issuer, keyPair, prepared, projectOf, publisher, signedWith } from './artifact-fixture';

const ci = new Issuer();

/** Returns whether a stage with these publishers accepts an artifact with these signatures, or else the problems. */
async function resultOf(
  artifact: PreparedArtifact,
  envelopes: readonly Envelope[],
  publishers: readonly TrustedPublisher[],
  keys: IssuerKeys = () => Promise.resolve(ci.keys),
  verificationStore?: VerificationStore,
): Promise<string> {
  const stored = envelopes.map((envelope) => ({ name: envelopeName(envelope), bytes: envelopeBytes(envelope) }));
  const { artifact: read } = readArtifact(artifact.digest, artifact.bytes, stored);
  if (!read) throw new Error('the artifact cannot be read');
  const found = await verifyArtifact(read, { publishers, breakGlass: [] }, keys, verificationStore);
  if (found.accepted) return `accepted: ${found.publisher?.repository ?? 'any publisher'}`;
  return found.problems.map(explainProblem).join('\n');
}

describe('a stage with publishers that sign with keys', () => {
  test.each(['ed25519', 'P-256', 'P-384'] as const)('accepts a signature of one of its keys (%s)', async (type) => {
    const [key, artifact] = [keyPair(type), prepared()];
    const keys = [publicKeyText(keyPair(type)), publicKeyText(key)];
    expect(await resultOf(artifact, [signedWith(key, artifact)], [publisher({ keys })])).toBe(
      'accepted: commerce/shop',
    );
  });

  test('rejects any other key, and a token', async () => {
    const artifact = prepared();
    const publishers = [publisher({ keys: [publicKeyText(keyPair())] })];
    for (const envelope of [signedWith(keyPair(), artifact), ci.sign(artifact)])
      expect(await resultOf(artifact, [envelope], publishers)).toContain('is not signed with a key of commerce/shop');
  });

  test('rejects the signature of another statement, and one under the name of a listed key', async () => {
    const [key, artifact] = [keyPair(), prepared()];
    const other = signedWith(key, prepared({ version: '1.4.3' }));
    const publishers = [publisher({ keys: [publicKeyText(key)] })];
    const moved = { ...other, payload: artifact.payload };
    const renamed = { ...signedWith(keyPair(), artifact), keyId: other.keyId };
    for (const envelope of [moved, renamed])
      expect(await resultOf(artifact, [envelope], publishers)).toContain('is not signed with a key of commerce/shop');
    expect(await resultOf(artifact, [other], publishers)).toContain('is not signed;');
  });
});

describe('a stage with publishers that sign with tokens', () => {
  const artifact = prepared();
  const audience = audienceOf(artifact.payload);
  const accepts = (token: string, keys: IssuerKeys = () => Promise.resolve(ci.keys)) =>
    resultOf(artifact, [signedByToken(artifact.payload, token)], [publisher()], keys);

  test.each(['RS256', 'ES256'] as const)(
    'accepts a token of its issuer, years after it expired (%s)',
    async (algorithm) => {
      const other = new Issuer(algorithm);
      expect(await accepts(other.token(audience), () => Promise.resolve([...ci.keys, ...other.keys].slice(1)))).toBe(
        'accepted: commerce/shop',
      );
    },
  );

  test.each<[string, () => string, string]>([
    [
      'stolen from another artifact',
      () => ci.token(audienceOf(prepared({ version: '1.4.3' }).payload)),
      'another audience',
    ],
    [
      'stolen from another publication of the artifact',
      () => ci.token(audienceOf(prepared({}, { published: '2026-11-20T12:00:00.001Z' }).payload)),
      'another audience',
    ],
    ['issued for a cloud', () => ci.token('sts.amazonaws.com'), 'another audience'],
    ['for several audiences', () => ci.token([audience, 'sts.amazonaws.com']), 'no current key'],
    [
      'of another repository',
      () => ci.token(audience, { repository: 'commerce/shop-fork' }),
      'does not match the claims of its token',
    ],
    [
      'of another branch',
      () => ci.token(audience, { ref: 'refs/heads/topic' }),
      'does not match the claims of its token',
    ],
    ['of another commit', () => ci.token(audience, { sha: 'b'.repeat(40) }), 'does not match the claims of its token'],
    [
      'of another issuer',
      () => ci.token(audience, { iss: 'https://evil.example.com' }),
      'does not match the claims of its token',
    ],
    [
      'that becomes valid an hour later',
      () => ci.token(audience, { iat: Date.parse('2026-11-20T13:00:00Z') / 1000, exp: 2e9 }),
      'while its token was valid',
    ],
    [
      'that had expired before publication',
      () => ci.token(audience, { iat: 0, exp: Date.parse('2026-11-20T11:00:00Z') / 1000 }),
      'while its token was valid',
    ],
    ['with an unknown signature', () => new Issuer().token(audience), 'no current key'],
    ['with an unknown signature and key ID', () => new Issuer('RS256', 'two').token(audience), 'no current key'],
    ['without a signature', () => ci.token(audience, {}, { alg: 'none' }).replace(/[^.]*$/, ''), 'no current key'],
    ['with an unknown critical header', () => ci.token(audience, {}, { crit: ['b64'], b64: false }), 'no current key'],
    [
      'with changed claims',
      () => {
        const [head = '', , signature = ''] = ci.token(audience, { ref: 'refs/heads/topic' }).split('.');
        return [head, ci.token(audience).split('.')[1], signature].join('.');
      },
      'no current key',
    ],
    ['that is malformed', () => 'token', 'no current key'],
  ])('rejects a token %s', async (_, token, reason) => {
    expect(await accepts(token())).toContain(reason);
  });

  test('rejects a token that uses the public key as an HMAC secret', async () => {
    const [head, claims] = ci.token(audience, {}, { alg: 'HS256' }).split('.');
    const secret = JSON.stringify(ci.keys[0]);
    const signature = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
    expect(await accepts(`${head}.${claims}.${signature}`)).toContain('no current key');
  });

  test('rejects keys intended for another use', async () => {
    const token = ci.token(audience);
    for (const more of [{ use: 'enc' }, { alg: 'RS512' }, { kid: 'two' }, { kty: 'EC' }]) {
      const keys = ci.keys.map((key) => ({ ...key, ...more }));
      expect(await accepts(token, () => Promise.resolve(keys))).toContain('no current key');
    }
  });

  test('contacts only the issuers that the Project lists', async () => {
    const requestedIssuers: string[] = [];
    const keys: IssuerKeys = (url) => {
      requestedIssuers.push(url);
      return Promise.resolve(ci.keys);
    };
    const evil = prepared({}, { issuer: 'https://evil.example.com' });
    const envelope = signedByToken(
      evil.payload,
      ci.token(audienceOf(evil.payload), { iss: 'https://evil.example.com' }),
    );
    expect(await resultOf(evil, [envelope], [publisher()], keys)).toContain('was published by commerce/shop');
    expect(requestedIssuers).toEqual([]);
    await resultOf(artifact, [ci.sign(artifact)], [publisher()], keys);
    expect(requestedIssuers).toEqual([issuer]);
  });

  test('after a key rotation accepts only what the verification store recorded', async () => {
    const seen = new Set<string>();
    const verificationStore = {
      isVerified: (envelope: string) => Promise.resolve(seen.has(envelope)),
      markVerified: (envelope: string) => Promise.resolve(void seen.add(envelope)),
    };
    const others: IssuerKeys = () => Promise.resolve(new Issuer().keys);
    const [envelope, forged] = [ci.sign(artifact), new Issuer().sign(artifact)];
    const verify = (one: Envelope, keys: IssuerKeys) =>
      resultOf(artifact, [one], [publisher()], keys, verificationStore);
    expect(await verify(envelope, others)).toContain('no current key');
    expect(await verify(envelope, () => Promise.resolve(ci.keys))).toContain('accepted');
    expect(await verify(envelope, others)).toContain('accepted');
    expect(await verify(forged, others)).toContain('no current key');
    expect(seen).toEqual(new Set([envelopeName(envelope)]));
  });

  test('reports an unreachable issuer, and accepts nothing then', async () => {
    const keys: IssuerKeys = () => Promise.reject(new IssuerUnreachable('no response'));
    expect(await accepts(ci.token(audience), keys)).toContain('cannot be verified: no response');
  });
});

describe('a publisher', () => {
  test('must match the listed repository and ref', async () => {
    const key = keyPair();
    const keys = [publicKeyText(key)];
    const resultFor = async (ref: string, listed: string) => {
      const artifact = prepared({}, { ref });
      return (await resultOf(artifact, [signedWith(key, artifact)], [publisher({ ref: listed, keys })])).slice(0, 8);
    };
    expect(await resultFor('refs/heads/main', 'refs/heads/main')).toBe('accepted');
    expect(await resultFor('refs/heads/main2', 'refs/heads/main')).not.toBe('accepted');
    expect(await resultFor('refs/tags/v1', 'refs/tags/v*')).toBe('accepted');
    expect(await resultFor('refs/heads/v1', 'refs/tags/v*')).not.toBe('accepted');
    expect(await resultFor('refs/heads/main', 'refs/heads/ma')).not.toBe('accepted');
  });

  test('is one of several: one accepted signature is enough', async () => {
    const [key, artifact] = [keyPair(), prepared()];
    const topic = prepared({}, { ref: 'refs/heads/topic' });
    const publishers = [publisher({ repository: 'commerce/till' }), publisher({ keys: [publicKeyText(key)] })];
    const envelopes = [signedWith(keyPair(), topic), signedWith(key, artifact)];
    expect(await resultOf(artifact, envelopes, publishers)).toBe('accepted: commerce/shop');
    expect(await resultOf(artifact, envelopes.slice(0, 1), publishers)).toContain('refs/heads/topic');
    expect(await resultOf(artifact, [], publishers)).toContain('is not signed;');
  });

  test('is not required if the stage is not protected', async () => {
    expect(await resultOf(prepared(), [], [])).toBe('accepted: any publisher');
  });
});

describe('a publisher with claims', () => {
  const claims = {
    repository_id: '4711',
    repository_owner_id: '815',
    job_workflow_ref: 'commerce/shop/.github/workflows/deploy.yaml@refs/heads/main',
    event_name: 'push',
  };
  const artifact = prepared();
  const signedBy = (signed: Readonly<Record<string, unknown>>, required: Readonly<Record<string, string>> = claims) =>
    resultOf(artifact, [ci.sign(artifact, signed)], [publisher({ claims: required })]);

  test('accepts a run with these claims, whatever else its token says', async () => {
    expect(await signedBy({ ...claims, actor: 'mia' })).toBe('accepted: commerce/shop');
    expect(await signedBy({ ...claims, repository_id: 4711 })).toBe('accepted: commerce/shop');
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'another workflow file on the same branch',
      { job_workflow_ref: 'commerce/shop/.github/workflows/lint.yaml@refs/heads/main' },
      'has a token with job_workflow_ref "commerce/shop/.github/workflows/lint.yaml@refs/heads/main"; the publisher requires',
    ],
    [
      'the workflow file of another branch',
      { job_workflow_ref: `${claims.job_workflow_ref}2` },
      'has a token with job_workflow_ref',
    ],
    ['another event', { event_name: 'pull_request_target' }, 'has a token with event_name "pull_request_target"'],
    ['a new repository of the same name', { repository_id: '4712' }, 'has a token with repository_id "4712"'],
    ['a new owner of the same name', { repository_owner_id: '1' }, 'has a token with repository_owner_id "1"'],
    ['a token without the claim', { event_name: undefined }, 'has a token without the claim event_name'],
    ['a list instead of a value', { event_name: ['push'] }, 'has a token without the claim event_name'],
  ])('rejects %s', async (_, overrides, reason) => {
    expect(await signedBy({ ...claims, ...overrides })).toContain(reason);
  });

  test('rejects claims of the prototype', async () =>
    expect(await signedBy({}, { constructor: 'function Object() { [native code] }' })).toContain(
      'has a token without the claim constructor',
    ));

  test('accepts any suffix of a ref that ends with a star', async () => {
    const pinned = { job_workflow_ref: 'commerce/shop/.github/workflows/deploy.yaml@refs/tags/v*' };
    const from = (ref: string) =>
      signedBy({ job_workflow_ref: `commerce/shop/.github/workflows/deploy.yaml@${ref}` }, pinned);
    expect(await from('refs/tags/v1.4.2')).toBe('accepted: commerce/shop');
    expect(await from('refs/tags/test')).toContain('has a token with job_workflow_ref');
  });

  test('are checked again for a token that was verified before', async () => {
    const known: VerificationStore = { isVerified: () => Promise.resolve(true), markVerified: () => Promise.resolve() };
    const envelopes = [ci.sign(artifact, { ...claims, event_name: 'schedule' })];
    expect(await resultOf(artifact, envelopes, [publisher({ claims })], undefined, known)).toContain(
      'has a token with event_name "schedule"',
    );
  });
});

test('a Project with a list of stages accepts no others', () => {
  const listed = projectOf([
    { name: 'staging' },
    { name: 'production', clusters: ['prod-1'], publishers: [publisher()], breakGlass: ['oncall'] },
  ]);
  expect(stageRule(listed, 'production').rule).toMatchObject({ publishers: [publisher()], breakGlass: ['oncall'] });
  expect(stageRule(listed, 'staging').rule?.publishers).toEqual([]);
  expect(stageRule(listed, 'prodution')).toMatchObject({
    problems: [{ code: 'not-available', remedy: 'did you mean "production"?' }],
  });
  expect(stageRule(projectOf(), 'any').rule).toEqual({ publishers: [], breakGlass: [] });
});
