import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionSettings, loadKubeConfig } from '../../lib/kube';
import { fixture, authority, base64, configOf, authenticatedUser, write } from './kube-config-fixture';

describe('a credential plugin', () => {
  /** A real program that records each call and prints the contents of the file `answer`. */
  function plugin(answered: object | string): { readonly exec: object; readonly calls: () => string[] } {
    const path = write(
      'plugin',
      `#!/bin/sh\necho "$*|$GREETING|$KUBERNETES_EXEC_INFO" >> '${fixture.folder}/calls'\ncat '${fixture.folder}/answer'\n`,
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
      existsSync(join(fixture.folder, 'calls'))
        ? readFileSync(join(fixture.folder, 'calls'), 'utf8').trim().split('\n')
        : [];
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

  test('returns a token, runs once for concurrent requests, and gets the input of client-go', async () => {
    const { exec, calls } = plugin(issued({ token: 'right' }));
    const settings = loadExec({ ...exec, provideClusterInfo: true });
    await Promise.all([settings.credential(0), settings.credential(0), settings.credential(0)]);
    expect(await authenticatedUser(settings)).toBe('right');
    const [call = '', ...others] = calls();
    expect(others).toEqual([]);
    expect(call).toMatch(/^get token\|hello\|/);
    expect(JSON.parse(call.split('|')[2] ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: fixture.server.url,
          'tls-server-name': 'api.test',
          'certificate-authority-data': base64(authority.certificate),
        },
      },
    });
  });

  test('returns a certificate', async () => {
    const { certificate, key } = authority.certify('carl.test');
    const { exec } = plugin(issued({ clientCertificateData: certificate, clientKeyData: key }));
    expect(await authenticatedUser(loadExec(exec))).toBe('carl.test');
  });

  test('runs again when its credential expires or the server rejects it', async () => {
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
    ['secret: not JSON', /did not print JSON/],
    [issued({}), /returned neither a token nor a certificate/],
    [issued({ clientCertificateData: 'secret' }), /returned a certificate or a key without the other/],
    [issued({ token: 'secret', expirationTimestamp: 'soon' }), /expirationTimestamp that is not an RFC 3339 time/],
    [
      { ...issued({ token: 'secret' }), apiVersion: 'client.authentication.k8s.io/v1beta1' },
      /ExecCredential of version .*v1$/,
    ],
  ])('reports invalid output without quoting it: %j', async (answered, message) => {
    const failed = authenticatedUser(loadExec(plugin(answered).exec));
    await expect(failed).rejects.toMatchObject({
      status: 0,
      reason: 'Unreachable',
      message: expect.stringMatching(message) as string,
    });
    await expect(failed).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
  });

  test('reports a failed or missing plugin with a remedy', async () => {
    const { exec } = plugin(issued({ token: 'right' }));
    rmSync(join(fixture.folder, 'answer'));
    await expect(authenticatedUser(loadExec({ ...exec, args: ['secret'] }))).rejects.toMatchObject({
      message: expect.stringMatching(/failed with 1; run it manually to see why$/),
    });
    const missing = { ...exec, command: 'no-such-plugin', installHint: 'install it by its package' };
    await expect(authenticatedUser(loadExec(missing))).rejects.toThrow(
      /no-such-plugin is not installed; install it by its package/,
    );
  });
});
