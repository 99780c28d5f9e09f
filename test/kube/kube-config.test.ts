import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ConnectionSettings, loadKubeConfig, connect, resourceOf } from '../../lib/kube';
import { realClock } from './real-clock';
import { TestAuthority } from './certificates';
import {
  fixture,
  authority,
  base64,
  cluster,
  configOf,
  authenticatedUser,
  write,
  problemsFrom,
} from './kube-config-fixture';

const load = (user: object, clusterFields?: object): ConnectionSettings =>
  loadKubeConfig({ file: write('config', configOf(user, clusterFields)), environment: {} });

describe('a kubeconfig authenticates', () => {
  test('by token', async () => {
    expect(await authenticatedUser(load({ token: 'right' }))).toBe('right');
    await expect(authenticatedUser(load({ token: 'wrong' }))).rejects.toMatchObject({ status: 401 });
  });

  test('by certificate, inline or in files relative to the kubeconfig', async () => {
    const { certificate, key } = authority.certify('anna.test');
    const inline = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    expect(await authenticatedUser(load(inline))).toBe('anna.test');
    write('anna.crt', certificate);
    write('anna.key', key);
    write('ca.crt', authority.certificate);
    const reach = { server: fixture.server.url, 'certificate-authority': 'ca.crt', 'tls-server-name': 'api.test' };
    expect(await authenticatedUser(load({ 'client-certificate': 'anna.crt', 'client-key': 'anna.key' }, reach))).toBe(
      'anna.test',
    );
  });

  test('by token file, which is reread when the server rejects the old token', async () => {
    const path = write('token', 'right\n');
    const client = connect(load({ tokenFile: path }), { clock: realClock, userAgent: 'test' });
    const ask = async (): Promise<string | undefined> =>
      (await client.get(resourceOf('Node'), { name: 'any' }))?.metadata.name;
    expect(await ask()).toBe('right');
    fixture.acceptedTokens = new Set(['newer']);
    writeFileSync(path, 'newer');
    expect(await ask()).toBe('newer');
    client.close();
  });

  test('by token file, which is reread every minute and keeps its last value while the file is missing', async () => {
    const path = write('token', 'one');
    const { credential } = load({ tokenFile: path });
    expect(await credential(1_000_000)).toEqual({ token: 'one' });
    writeFileSync(path, 'two');
    expect(await credential(1_059_999)).toEqual({ token: 'one' });
    expect(await credential(1_060_000)).toEqual({ token: 'two' });
    rmSync(path);
    expect(await credential(1_120_000)).toEqual({ token: 'two' });
  });

  test('by impersonation', async () => {
    const settings = load({ token: 'right', as: 'bert', 'as-groups': ['a', 'b'], 'as-user-extra': { scope: ['x'] } });
    expect(await authenticatedUser(settings)).toBe('right as bert');
    expect(fixture.server.seen.at(-1)?.headers).toMatchObject({
      'impersonate-group': 'a, b',
      'impersonate-extra-scope': 'x',
    });
  });
});

describe('the server is verified', () => {
  test('by its CA and its name', async () => {
    const untrustedCluster = cluster({ 'certificate-authority-data': base64(new TestAuthority().certificate) });
    await expect(authenticatedUser(load({ token: 'right' }, untrustedCluster))).rejects.toMatchObject({
      status: 0,
      reason: 'Unreachable',
    });
    const other = load({ token: 'right' }, cluster({ 'tls-server-name': 'other.test' }));
    await expect(authenticatedUser(other)).rejects.toThrow(/altnames/);
  });

  test('unless insecure-skip-tls-verify is set', async () => {
    const reach = { server: fixture.server.url, 'insecure-skip-tls-verify': true };
    expect(await authenticatedUser(load({ token: 'right' }, reach))).toBe('right');
  });
});

describe('kubeconfig lookup', () => {
  const named = (user: string): object => ({
    clusters: [{ name: user, cluster: cluster() }],
    users: [{ name: user, user: { token: user } }],
    contexts: [{ name: user, context: { cluster: user, user, namespace: `of-${user}` } }],
  });

  test('merges the files listed in KUBECONFIG, the first value wins, missing files are ignored', async () => {
    fixture.acceptedTokens = new Set(['one', 'two']);
    const one = write('one', named('one'));
    const two = write('two', { ...named('two'), 'current-context': 'two' });
    const overridden = write('three', { ...named('one'), users: [{ name: 'one', user: { token: 'other' } }] });
    const environment = { KUBECONFIG: [join(fixture.folder, 'missing'), one, two, overridden].join(delimiter) };
    const current = loadKubeConfig({ environment });
    expect([await authenticatedUser(current), current.namespace]).toEqual(['two', 'of-two']);
    expect(await authenticatedUser(loadKubeConfig({ environment, context: 'one' }))).toBe('one');
  });

  test('uses the home directory without KUBECONFIG', async () => {
    mkdirSync(join(fixture.folder, '.kube'));
    write('.kube/config', configOf({ token: 'right' }));
    expect(await authenticatedUser(loadKubeConfig({ environment: { HOME: fixture.folder } }))).toBe('right');
    expect(problemsFrom(() => loadKubeConfig({ environment: { HOME: join(fixture.folder, 'nowhere') } }))).toEqual([
      ': kubeconfig not found',
    ]);
  });
});

describe('all problems of a kubeconfig are reported at once, without values that may be secret', () => {
  const problemsOf = (content: unknown, context?: string): string[] =>
    problemsFrom(() =>
      loadKubeConfig({ file: write('config', content), environment: {}, ...(context && { context }) }),
    );

  test('names without an entry', () => {
    expect(problemsOf(configOf({}), 'y')).toEqual(['contexts: context not found']);
    expect(problemsOf({ ...configOf({}), clusters: [], users: [] })).toEqual([
      'clusters: cluster not found',
      'users: user not found',
    ]);
    expect(problemsOf({ ...configOf({}), 'current-context': '' })).toEqual(['current-context: no context is selected']);
  });

  test('fields of the cluster and of the user together', () => {
    const reach = { server: 'example', 'proxy-url': 'http://secret@proxy', 'certificate-authority': 'missing.crt' };
    const user = { username: 'a', password: 'secret', 'client-key-data': base64('secret'), tokenFile: 'missing' };
    expect(problemsOf(configOf(user, { ...reach, 'insecure-skip-tls-verify': 'yes' }))).toEqual([
      'clusters.0.cluster.server: is not a server URL',
      'clusters.0.cluster.proxy-url: proxies are not supported',
      'clusters.0.cluster.certificate-authority: cannot be read',
      'clusters.0.cluster.insecure-skip-tls-verify: must be a boolean',
      'users.0.user.username: Kubernetes 1.19 removed password authentication',
      'users.0.user.password: Kubernetes 1.19 removed password authentication',
      'users.0.user.client-key-data: is not PEM in base64',
      'users.0.user.client-certificate: is required with client-key',
      'users.0.user.tokenFile: cannot be read',
    ]);
  });

  test('an unsupported plugin', () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1alpha1', interactiveMode: 'Always', args: 'secret' };
    expect(problemsOf(configOf({ exec, token: 'secret', 'auth-provider': { name: 'gcp' } }))).toEqual([
      'users.0.user.auth-provider: Kubernetes 1.26 removed auth providers',
      'users.0.user.token: cannot be combined with a credential plugin (exec)',
      'users.0.user.exec.apiVersion: is not a supported ExecCredential version',
      'users.0.user.exec.interactiveMode: interactive plugins are not supported',
      'users.0.user.exec.command: is not set',
      'users.0.user.exec.args: must be a list of strings',
    ]);
  });

  test('a string that is not a kubeconfig', () => {
    expect(problemsOf('token: "secret')).toEqual([expect.stringMatching(/^: unexpected end of the stream/)]);
    expect(problemsOf('[]')).toEqual([': must be a mapping']);
    expect(problemsOf({ ...configOf({}), users: { secret: 1 } })).toContain('users: must be a list of mappings');
  });
});
