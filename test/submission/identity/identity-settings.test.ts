import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { explainProblem } from '../../../lib/api';
import { safeParseIdentitySettings } from '../../../lib/programs';
import { safeParseSessionKeys } from '../../../lib/submission/identity';

const issuer = { issuer: 'https://login.example.com/realms/people', audience: 'kubernetes' };
const session = {
  issuer: issuer.issuer,
  clientId: 'pinion-page',
  publicUrl: 'https://deploy.example.com',
  keysFile: '/etc/pinion/session/keys',
};
const problemsOf = (input: unknown): string[] => safeParseIdentitySettings(input).problems.map(explainProblem);

test('defaults match the flags of the API server', () => {
  expect(
    safeParseIdentitySettings({ issuers: [issuer], serviceAccounts: { issuers: ['https://cluster.local'] }, session }),
  ).toEqual({
    problems: [],
    settings: {
      issuers: [{ ...issuer, usernameClaim: 'sub', groupsPrefix: '', algorithms: ['RS256'] }],
      serviceAccounts: { issuers: ['https://cluster.local'], audience: 'pinion-submission' },
      session: { ...session, scopes: ['openid', 'profile', 'email'], maxDuration: 8 * 3_600_000 },
    },
  });
});

test.each<[string, object, RegExp]>([
  [
    'an issuer without https',
    { issuers: [{ ...issuer, issuer: 'http://login.example.com' }] },
    /bad-format: issuers\[0\].issuer/,
  ],
  ['an issuer with a password', { issuers: [{ ...issuer, issuer: 'https://a:b@login.example.com' }] }, /bad-format/],
  ['an algorithm with a shared key', { issuers: [{ ...issuer, algorithms: ['HS256'] }] }, /algorithms\[0\]: "HS256"/],
  ['no algorithm', { issuers: [{ ...issuer, algorithms: ['none'] }] }, /not supported/],
  ['a duplicate issuer', { issuers: [issuer, { ...issuer, audience: 'b' }] }, /duplicate: issuers\[1\].issuer/],
  [
    'GitHub Actions without claims',
    { issuers: [{ ...issuer, issuer: 'https://token.actions.githubusercontent.com' }] },
    /required: issuers\[0\].claims: must have one of repository_owner_id, repository_id, enterprise_id: anyone can get a token of GitHub Actions/,
  ],
  [
    'GitHub Actions with a name that others may register',
    {
      issuers: [{ ...issuer, issuer: 'https://token.actions.githubusercontent.com', claims: { repository: ['a/b'] } }],
    },
    /issuers\[0\].claims: must have one of repository_owner_id/,
  ],
  ['gitlab.com without claims', { issuers: [{ ...issuer, issuer: 'https://gitlab.com' }] }, /namespace_id/],
  ['a claim without values', { issuers: [{ ...issuer, claims: { a: [] } }] }, /claims/],
  [
    'an issuer of both kinds',
    { issuers: [issuer], serviceAccounts: { issuers: [issuer.issuer] } },
    /duplicate: serviceAcc/,
  ],
  [
    'a session with an unknown issuer',
    { issuers: [issuer], session: { ...session, issuer: 'https://b.com' } },
    /must be one of/,
  ],
  ['a session of a day', { issuers: [issuer], session: { ...session, maxDuration: '24h' } }, /from 1m to 8h/],
  [
    'a session with a path in its URL',
    { issuers: [issuer], session: { ...session, publicUrl: 'https://a.com/b' } },
    /must not have a path/,
  ],
  [
    'a session without openid',
    { issuers: [issuer], session: { ...session, scopes: ['email'] } },
    /must include openid/,
  ],
  [
    'a session without https',
    { issuers: [issuer], session: { ...session, publicUrl: 'http://deploy.example.com' } },
    /https/,
  ],
  ['no issuers', {}, /has no token issuer/],
  ['an unknown field', { issuers: [{ ...issuer, userNameClaim: 'sub' }] }, /did you mean "usernameClaim"/],
])('%s is a problem', (_, input, problem) => {
  const problems = problemsOf(input);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

test('all problems are reported at once', () => {
  expect(
    problemsOf({ issuers: [{ issuer: 'x', audience: '' }], session: { ...session, keysFile: 'keys' } }),
  ).toHaveLength(3);
});

test('any input is parsed without throwing', () => {
  fc.assert(fc.property(fc.anything(), (input) => expect(safeParseIdentitySettings(input)).toHaveProperty('problems')));
});

test('loopback needs no https, for setups on one machine', () => {
  const local = { ...issuer, issuer: 'http://127.0.0.1:4000' };
  const input = { issuers: [local], session: { ...session, issuer: local.issuer, publicUrl: 'http://localhost:8080' } };
  expect(problemsOf(input)).toEqual([]);
});

describe('session keys', () => {
  const key = () => randomBytes(32).toString('base64');

  test('are listed one per line, the encryption key first', () => {
    const [newer, older] = [key(), key()];
    const { keys = [], problems } = safeParseSessionKeys(`${newer}\n${older}\n\n`);
    expect(problems).toEqual([]);
    expect(keys.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).toEqual([newer, older]);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(2);
    for (const { id } of keys) expect(newer + older).not.toContain(id);
  });

  test.each([
    ['', 'contains no key'],
    ['short', 'is not a key'],
    [`${key()}\nplanted-secret`, 'is not a key'],
    [Array.from({ length: 5 }, key).join('\n'), 'contains 5 keys'],
  ])('that are invalid are reported without showing them', (text, reason) => {
    const { keys, problems } = safeParseSessionKeys(text);
    expect(keys).toBeUndefined();
    expect(problems).toMatchObject([{ reason }]);
    for (const line of text.split('\n')) expect(line === '' || !JSON.stringify(problems).includes(line)).toBe(true);
  });
});
