import { type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { responseOf, Upstream, type UpstreamRequest } from '../../../lib/gateway/upstream/upstream';
import { TestAuthority } from '../../kube/certificates';
import { realClock } from '../../kube/real-clock';

const authority = new TestAuthority();
const own = authority.certify('gateway');

let server: Server;
let upstream: Upstream;

beforeEach(async () => {
  const { certificate: cert, key } = authority.certify('localhost');
  // Answers with what it knows of a client: its certificate and its token.
  server = createServer(
    { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate() as { subject?: { CN: string } };
      response.end(JSON.stringify([subject?.CN, request.headers.authorization]));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream = new Upstream(
    {
      server: `https://localhost:${(server.address() as AddressInfo).port}`,
      namespace: 'default',
      authority: () => authority.certificate,
      credential: () => Promise.resolve({ ...own, token: 'own' }),
    },
    realClock,
  );
});
afterEach(async () => {
  upstream.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
};
const ask = async (more: Partial<UpstreamRequest>): Promise<unknown> =>
  JSON.parse(await textOf(await responseOf(await upstream.create({ method: 'GET', path: '/', headers: {}, ...more }))));

test.each([false, true])(
  'a request with a token has no credential of the gateway (own connection: %s)',
  async (ownConnection) => {
    const headers = { authorization: 'Bearer of-ann' };
    // In turns: a connection that the other kind has left open would be used.
    for (let round = 0; round < 2; round++) {
      expect(await ask({ ownConnection })).toEqual(['gateway', 'Bearer own']);
      expect(await ask({ ownConnection, headers })).toEqual([null, 'Bearer of-ann']);
    }
  },
);
