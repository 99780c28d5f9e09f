import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ProblemsError } from '../../lib/api';
import { connect, type ConnectionSettings, inCluster, loadKubeConfig, resourceOf } from '../../lib/kube';
import { TestAuthority } from './certificates';
import { realClock } from './real-clock';
import { answer, refuse, type ScriptedServer, startServer } from './scripted-server';

const authority = new TestAuthority();
const serving = authority.certify('api.test');
let folder: string;
let server: ScriptedServer;
/** Bearer tokens that the server takes. */
let taken: Set<string>;

beforeAll(async () => {
  const tls = {
    cert: serving.certificate,
    key: serving.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  };
  server = await startServer(({ headers }, response, _, message) => {
    const socket = message.socket as TLSSocket;
    const name = socket.authorized ? `${socket.getPeerCertificate().subject.CN}` : undefined;
    const token = headers.authorization?.replace('Bearer ', '');
    const user = name ?? (token !== undefined && taken.has(token) ? token : undefined);
    if (user === undefined) return refuse(response, 401, 'Unauthorized');
    const metadata = { name: user, annotations: { as: `${headers['impersonate-user'] ?? ''}` } };
    return answer(response, 200, { apiVersion: 'v1', kind: 'Node', metadata });
  }, tls);
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-kube-config-'));
  taken = new Set(['right']);
});
afterEach(() => rmSync(folder, { recursive: true }));

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const cluster = (more: object = {}): object => ({
  server: server.url,
  'certificate-authority-data': base64(authority.certificate),
  'tls-server-name': 'api.test',
  ...more,
});
const configOf = (user: object, clusterFields: object = cluster(), more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: clusterFields }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...more } }],
  'current-context': 'x',
});

/** As whom the server knows who uses the settings. */
async function whoIs(settings: ConnectionSettings): Promise<string> {
  const client = connect(settings, { clock: realClock, userAgent: 'test' });
  try {
    const node = await client.get(resourceOf('Node'), { name: 'any' });
    return [node?.metadata.name, node?.metadata.annotations?.['as']].filter((name) => name).join(' as ');
  } finally {
    client.close();
  }
}
const load = (user: object, clusterFields?: object): ConnectionSettings =>
  loadKubeConfig({ file: write('config', configOf(user, clusterFields)), environment: {} });

/** What is wrong, as `path: reason`, and no secret among it. */
function wrong(act: () => unknown): string[] {
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

describe('a kubeconfig says as whom', () => {
  test('by a token', async () => {
    expect(await whoIs(load({ token: 'right' }))).toBe('right');
    await expect(whoIs(load({ token: 'wrong' }))).rejects.toMatchObject({ status: 401 });
  });

  test('by a certificate, inline or in files beside the kubeconfig', async () => {
    const { certificate, key } = authority.certify('anna.test');
    const inline = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    expect(await whoIs(load(inline))).toBe('anna.test');
    write('anna.crt', certificate);
    write('anna.key', key);
    write('ca.crt', authority.certificate);
    const reach = { server: server.url, 'certificate-authority': 'ca.crt', 'tls-server-name': 'api.test' };
    expect(await whoIs(load({ 'client-certificate': 'anna.crt', 'client-key': 'anna.key' }, reach))).toBe('anna.test');
  });

  test('by a file with a token, which is read again when the server refuses the old one', async () => {
    const path = write('token', 'right\n');
    const client = connect(load({ tokenFile: path }), { clock: realClock, userAgent: 'test' });
    const ask = async (): Promise<string | undefined> =>
      (await client.get(resourceOf('Node'), { name: 'any' }))?.metadata.name;
    expect(await ask()).toBe('right');
    taken = new Set(['newer']);
    writeFileSync(path, 'newer');
    expect(await ask()).toBe('newer');
    client.close();
  });

  test('a file with a token is read again each minute, and keeps its last text when it is away for a moment', async () => {
    const path = write('token', 'one');
    const { credential } = load({ tokenFile: path });
    expect(await credential(1_000_000)).toEqual({ token: 'one' });
    writeFileSync(path, 'two');
    expect(await credential(1_059_999)).toEqual({ token: 'one' });
    expect(await credential(1_060_000)).toEqual({ token: 'two' });
    rmSync(path);
    expect(await credential(1_120_000)).toEqual({ token: 'two' });
  });

  test('in the name of somebody else', async () => {
    const settings = load({ token: 'right', as: 'bert', 'as-groups': ['a', 'b'], 'as-user-extra': { scope: ['x'] } });
    expect(await whoIs(settings)).toBe('right as bert');
    expect(server.seen.at(-1)?.headers).toMatchObject({ 'impersonate-group': 'a, b', 'impersonate-extra-scope': 'x' });
  });
});

describe('the server is checked', () => {
  test('by its authority and name', async () => {
    const stranger = cluster({ 'certificate-authority-data': base64(new TestAuthority().certificate) });
    await expect(whoIs(load({ token: 'right' }, stranger))).rejects.toMatchObject({ status: 0, reason: 'Unreachable' });
    const other = load({ token: 'right' }, cluster({ 'tls-server-name': 'other.test' }));
    await expect(whoIs(other)).rejects.toThrow(/altnames/);
  });

  test('unless it is said not to be', async () => {
    const reach = { server: server.url, 'insecure-skip-tls-verify': true };
    expect(await whoIs(load({ token: 'right' }, reach))).toBe('right');
  });
});

describe('a credential plugin', () => {
  /** A real program: it notes each call and prints what the file `answer` holds. */
  function plugin(answered: object | string): { readonly exec: object; readonly calls: () => string[] } {
    const path = write(
      'plugin',
      `#!/bin/sh\necho "$*|$GREETING|$KUBERNETES_EXEC_INFO" >> '${folder}/calls'\ncat '${folder}/answer'\n`,
    );
    chmodSync(path, 0o755);
    write('answer', answered);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin',
      args: ['get', 'token'],
      env: [{ name: 'GREETING', value: 'hello' }],
      interactiveMode: 'IfAvailable',
    };
    const calls = (): string[] =>
      existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
    return { exec, calls };
  }
  const issued = (status: object): object => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status,
  });
  const environment = { PATH: '/usr/bin:/bin' };
  const loadExec = (exec: object): ConnectionSettings =>
    loadKubeConfig({ file: write('config', configOf({ exec })), environment });

  test('gives a token, is asked once for all, and told what client-go tells it', async () => {
    const { exec, calls } = plugin(issued({ token: 'right' }));
    const settings = loadExec({ ...exec, provideClusterInfo: true });
    await Promise.all([settings.credential(0), settings.credential(0), settings.credential(0)]);
    expect(await whoIs(settings)).toBe('right');
    const [call = '', ...others] = calls();
    expect(others).toEqual([]);
    expect(call).toMatch(/^get token\|hello\|/);
    expect(JSON.parse(call.split('|')[2] ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: server.url,
          'tls-server-name': 'api.test',
          'certificate-authority-data': base64(authority.certificate),
        },
      },
    });
  });

  test('gives a certificate', async () => {
    const { certificate, key } = authority.certify('carl.test');
    const { exec } = plugin(issued({ clientCertificateData: certificate, clientKeyData: key }));
    expect(await whoIs(loadExec(exec))).toBe('carl.test');
  });

  test('is asked again when its credential expires, and when the server refuses it', async () => {
    const { exec, calls } = plugin(issued({ token: 'one', expirationTimestamp: '2030-01-01T00:00:00Z' }));
    const expiry = Date.parse('2030-01-01T00:00:00Z');
    const { credential } = loadExec(exec);
    const first = await credential(expiry - 1);
    expect(await credential(expiry - 1)).toBe(first);
    write('answer', issued({ token: 'two' }));
    const second = await credential(expiry);
    expect(second).toEqual({ token: 'two' });
    expect(await credential(expiry + 1, first)).toBe(second);
    expect(calls()).toHaveLength(2);
    await credential(expiry + 1, second);
    expect(calls()).toHaveLength(3);
  });

  test.each([
    ['secret: no JSON', /did not print JSON/],
    [issued({}), /gave neither a token nor a certificate/],
    [issued({ clientCertificateData: 'secret' }), /gave a certificate or a key without the other/],
    [issued({ token: 'secret', expirationTimestamp: 'soon' }), /expirationTimestamp that is no RFC 3339 time/],
    [{ ...issued({ token: 'secret' }), apiVersion: 'client.authentication.k8s.io/v1beta1' }, /ExecCredential of .*v1$/],
  ])('that says nonsense is an error that does not repeat it: %j', async (answered, message) => {
    const failed = whoIs(loadExec(plugin(answered).exec));
    await expect(failed).rejects.toMatchObject({ status: 0, reason: 'Unreachable', message });
    await expect(failed).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
  });

  test('that fails, or is not there, is an error with what to do', async () => {
    const { exec } = plugin(issued({ token: 'right' }));
    rmSync(join(folder, 'answer'));
    await expect(whoIs(loadExec({ ...exec, args: ['secret'] }))).rejects.toMatchObject({
      message: expect.stringMatching(/ended with 1; run it by hand to see why$/),
    });
    const missing = { ...exec, command: 'no-such-plugin', installHint: 'install it by its package' };
    await expect(whoIs(loadExec(missing))).rejects.toThrow(/no-such-plugin is not there; install it by its package/);
  });
});

describe('which kubeconfig', () => {
  const named = (user: string): object => ({
    clusters: [{ name: user, cluster: cluster() }],
    users: [{ name: user, user: { token: user } }],
    contexts: [{ name: user, context: { cluster: user, user, namespace: `of-${user}` } }],
  });

  test('several files of KUBECONFIG are merged, the first to say something wins, missing ones do not matter', async () => {
    taken = new Set(['one', 'two']);
    const one = write('one', named('one'));
    const two = write('two', { ...named('two'), 'current-context': 'two' });
    const shadowed = write('three', { ...named('one'), users: [{ name: 'one', user: { token: 'other' } }] });
    const environment = { KUBECONFIG: [join(folder, 'missing'), one, two, shadowed].join(delimiter) };
    const current = loadKubeConfig({ environment });
    expect([await whoIs(current), current.namespace]).toEqual(['two', 'of-two']);
    expect(await whoIs(loadKubeConfig({ environment, context: 'one' }))).toBe('one');
  });

  test('without KUBECONFIG it is the one in the home folder', async () => {
    mkdirSync(join(folder, '.kube'));
    write('.kube/config', configOf({ token: 'right' }));
    expect(await whoIs(loadKubeConfig({ environment: { HOME: folder } }))).toBe('right');
    expect(wrong(() => loadKubeConfig({ environment: { HOME: join(folder, 'nowhere') } }))).toEqual([
      ': there is no kubeconfig',
    ]);
  });
});

describe('what is wrong with a kubeconfig comes all at once, without values that may be secret', () => {
  const wrongOf = (content: unknown, context?: string): string[] =>
    wrong(() => loadKubeConfig({ file: write('config', content), environment: {}, ...(context && { context }) }));

  test('names that lead nowhere', () => {
    expect(wrongOf(configOf({}), 'y')).toEqual(['contexts: there is no context of this name']);
    expect(wrongOf({ ...configOf({}), clusters: [], users: [] })).toEqual([
      'clusters: there is no cluster of this name',
      'users: there is no user of this name',
    ]);
    expect(wrongOf({ ...configOf({}), 'current-context': '' })).toEqual(['current-context: no context is chosen']);
  });

  test('fields of the cluster and of the user together', () => {
    const reach = { server: 'example', 'proxy-url': 'http://secret@proxy', 'certificate-authority': 'missing.crt' };
    const user = { username: 'a', password: 'secret', 'client-key-data': base64('secret'), tokenFile: 'missing' };
    expect(wrongOf(configOf(user, { ...reach, 'insecure-skip-tls-verify': 'yes' }))).toEqual([
      'clusters.0.cluster.server: it is no URL of a server',
      'clusters.0.cluster.proxy-url: connections through a proxy are not supported',
      'clusters.0.cluster.certificate-authority: the file cannot be read',
      'clusters.0.cluster.insecure-skip-tls-verify: it must be true or false',
      'users.0.user.username: Kubernetes 1.19 removed logging in by password',
      'users.0.user.password: Kubernetes 1.19 removed logging in by password',
      'users.0.user.client-key-data: it is not PEM in base64',
      'users.0.user.client-certificate: there is a key without its certificate',
      'users.0.user.tokenFile: the file cannot be read',
    ]);
  });

  test('a plugin that cannot be used here', () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1alpha1', interactiveMode: 'Always', args: 'secret' };
    expect(wrongOf(configOf({ exec, token: 'secret', 'auth-provider': { name: 'gcp' } }))).toEqual([
      'users.0.user.auth-provider: Kubernetes 1.26 removed these providers',
      'users.0.user.token: the user has a credential plugin and a credential of another kind',
      'users.0.user.exec.apiVersion: this version of ExecCredential is not understood',
      'users.0.user.exec.interactiveMode: the plugin wants to ask a person, and here is none',
      'users.0.user.exec.command: the plugin names no program',
      'users.0.user.exec.args: it must be a list of texts',
    ]);
  });

  test('a text that is no kubeconfig', () => {
    expect(wrongOf('token: "secret')).toEqual([expect.stringMatching(/^: unexpected end of the stream/)]);
    expect(wrongOf('[]')).toEqual([': it is no mapping']);
    expect(wrongOf({ ...configOf({}), users: { secret: 1 } })).toContain('users: it must be a list of mappings');
  });
});

describe('in a pod', () => {
  test('the service account is used, and its token read again', async () => {
    write('token', 'right');
    write('ca.crt', authority.certificate);
    write('namespace', 'platform\n');
    const { hostname, port } = new URL(server.url);
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const settings = inCluster({ environment, folder });
    expect(settings.namespace).toBe('platform');
    expect(settings.server).toBe(server.url);
    expect(await whoIs({ ...settings, serverName: 'api.test' })).toBe('right');
    taken = new Set(['newer']);
    write('token', 'newer');
    expect(await whoIs({ ...settings, serverName: 'api.test' })).toBe('newer');
    const six = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(inCluster({ environment: six, folder }).server).toBe('https://[fd00::1]:443');
  });

  test('outside one, what is missing is said', () => {
    expect(wrong(() => inCluster({ environment: {}, folder }))).toEqual([
      'KUBERNETES_SERVICE_HOST: Kubernetes sets it in every pod, and it is not set',
      'KUBERNETES_SERVICE_PORT: Kubernetes sets it in every pod, and it is not set',
      'token: the file of the service account is not there',
      'ca.crt: the file of the service account is not there',
    ]);
  });
});
