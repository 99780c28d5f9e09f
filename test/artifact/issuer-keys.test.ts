import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { issuerKeysByDiscovery, IssuerUnreachable } from '../../lib/artifact';
import { issuer, Issuer } from './artifact-fixture';

jest.setTimeout(60_000);

const ci = new Issuer();
let server: Server;
let address = '';
let answers: Record<string, string>;
const asked: string[] = [];

beforeEach(async () => {
  asked.length = 0;
  answers = {
    '/.well-known/openid-configuration': JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }),
    '/keys': JSON.stringify({ keys: ci.keys }),
  };
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.statusCode = answers[url] === undefined ? 404 : 200;
    response.end(answers[url]);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((done) => server.close(done)));

/** Sends requests to the test server in place of the issuer, whose name does not resolve. */
const keysOf = () => issuerKeysByDiscovery((url, init) => fetch(String(url).replace(issuer, address), init));

test('the keys of an issuer are found by discovery, and requested once', async () => {
  const find = keysOf();
  expect(await Promise.all([find(issuer), find(issuer)])).toEqual([ci.keys, ci.keys]);
  expect(await find(issuer)).toEqual(ci.keys);
  expect(asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test.each<[string, () => void]>([
  ['does not respond', () => delete answers['/keys']],
  ['sends invalid JSON', () => (answers['/keys'] = '<html>')],
  ['sends no keys', () => (answers['/keys'] = '{"keys": "none"}')],
  [
    'sends more keys than any issuer has',
    () => (answers['/keys'] = JSON.stringify({ keys: [], more: 'x'.repeat(1_000_000) })),
  ],
  [
    'reports another issuer name',
    () =>
      (answers['/.well-known/openid-configuration'] = JSON.stringify({
        issuer: 'https://evil.example.com',
        jwks_uri: `${issuer}/keys`,
      })),
  ],
  [
    'serves keys over plain HTTP',
    () =>
      (answers['/.well-known/openid-configuration'] = JSON.stringify({
        issuer,
        jwks_uri: 'http://ci.example.com/keys',
      })),
  ],
])('an issuer that %s has no keys, and is requested again the next time', async (_, breakIt) => {
  const find = keysOf();
  const good = { ...answers };
  breakIt();
  await expect(find(issuer)).rejects.toThrow(IssuerUnreachable);
  answers = good;
  expect(await find(issuer)).toEqual(ci.keys);
});
