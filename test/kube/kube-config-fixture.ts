import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemsError } from '../../lib/api';
import { connect, type ConnectionSettings, resourceOf } from '../../lib/kube';
import { TestAuthority } from './certificates';
import { realClock } from './real-clock';
import { sendJson, sendStatus, type ScriptedServer, startServer } from './scripted-server';

/** Certificate authority of the server and the clients. */
export const authority = new TestAuthority();
const serving = authority.certify('api.test');
/** A server that reports the identity of a client, and a directory for each test. */
export const fixture = {
  folder: '',
  server: undefined as unknown as ScriptedServer,
  /** Bearer tokens that the server accepts. */
  acceptedTokens: new Set<string>(),
};

beforeAll(async () => {
  const tls = {
    cert: serving.certificate,
    key: serving.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  };
  fixture.server = await startServer(({ headers }, response, _, message) => {
    const socket = message.socket as TLSSocket;
    const name = socket.authorized ? `${socket.getPeerCertificate().subject.CN}` : undefined;
    const token = headers.authorization?.replace('Bearer ', '');
    const user = name ?? (token !== undefined && fixture.acceptedTokens.has(token) ? token : undefined);
    if (user === undefined) return sendStatus(response, 401, 'Unauthorized');
    const metadata = { name: user, annotations: { as: `${headers['impersonate-user'] ?? ''}` } };
    return sendJson(response, 200, { apiVersion: 'v1', kind: 'Node', metadata });
  }, tls);
});
afterAll(() => fixture.server.close());
beforeEach(() => {
  fixture.folder = mkdtempSync(join(tmpdir(), 'pinion-kube-config-'));
  fixture.acceptedTokens = new Set(['right']);
});
afterEach(() => rmSync(fixture.folder, { recursive: true }));

/** Encodes text as a kubeconfig does (base64). */
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Writes a file into the directory of the test. */
export const write = (name: string, content: unknown): string => {
  const path = join(fixture.folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
/** The server, as a kubeconfig cluster. */
export const cluster = (more: object = {}): object => ({
  server: fixture.server.url,
  'certificate-authority-data': base64(authority.certificate),
  'tls-server-name': 'api.test',
  ...more,
});
/** Returns a kubeconfig with one user. */
export const configOf = (user: object, clusterFields: object = cluster(), more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: clusterFields }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...more } }],
  'current-context': 'x',
});

/** Returns the user that the server sees for these settings. */
export async function authenticatedUser(settings: ConnectionSettings): Promise<string> {
  const client = connect(settings, { clock: realClock, userAgent: 'test' });
  try {
    const node = await client.get(resourceOf('Node'), { name: 'any' });
    return [node?.metadata.name, node?.metadata.annotations?.['as']].filter((name) => name).join(' as ');
  } finally {
    client.close();
  }
}
/** Returns the problems as `path: reason`, and asserts that they hold no secret. */
export function problemsFrom(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    expect(error.message).not.toMatch(/secret/);
    expect(error.problems.every(({ remedy }) => remedy !== '')).toBe(true);
    return error.problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`);
  }
  return [];
}
