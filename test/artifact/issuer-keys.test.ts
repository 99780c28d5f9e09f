import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { issuerKeysByDiscovery, IssuerUnreachable } from '../../lib/artifact';
import { issuer, Issuer } from './artifact-fixture';

jest.setTimeout(60_000);

const ci = new Issuer();
let server: Server;
let address = '';
let responses: Record<string, string>;
const requestedUrls: string[] = [];

beforeEach(async () => {
  requestedUrls.length = 0;
  responses = {
    '/.well-known/openid-configuration': JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }),
    '/keys': JSON.stringify({ keys: ci.keys }),
  };
  server = createServer(({ url = '' }, response) => {
    requestedUrls.push(url);
    response.statusCode = responses[url] === undefined ? 404 : 200;
    response.end(responses[url]);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((done) => server.close(done)));

/** Sends requests to the test server in place of the issuer, whose name does not resolve. */
const createIssuerKeys = () => issuerKeysByDiscovery((url, init) => fetch(String(url).replace(issuer, address), init));

test('the keys of an issuer are found by discovery, and requested once', async () => {
  const find = createIssuerKeys();
  expect(await Promise.all([find(issuer), find(issuer)])).toEqual([ci.keys, ci.keys]);
  expect(await find(issuer)).toEqual(ci.keys);
  expect(requestedUrls).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test.each<[string, () => void]>([
  ['does not respond', () => delete responses['/keys']],
  ['sends invalid JSON', () => (responses['/keys'] = '<html>')],
  ['sends no keys', () => (responses['/keys'] = '{"keys": "none"}')],
  [
    'sends more keys than any issuer has',
    () => (responses['/keys'] = JSON.stringify({ keys: [], more: 'x'.repeat(1_000_000) })),
  ],
  [
    'reports another issuer name',
    () =>
      (responses['/.well-known/openid-configuration'] = JSON.stringify({
        issuer: 'https://evil.example.com',
        jwks_uri: `${issuer}/keys`,
      })),
  ],
  [
    'serves keys over plain HTTP',
    () =>
      (responses['/.well-known/openid-configuration'] = JSON.stringify({
        issuer,
        jwks_uri: 'http://ci.example.com/keys',
      })),
  ],
])('an issuer that %s has no keys, and is requested again the next time', async (_, breakResponses) => {
  const find = createIssuerKeys();
  const good = { ...responses };
  breakResponses();
  await expect(find(issuer)).rejects.toThrow(IssuerUnreachable);
  responses = good;
  expect(await find(issuer)).toEqual(ci.keys);
});
