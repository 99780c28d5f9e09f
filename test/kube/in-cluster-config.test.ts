import { inClusterConfig } from '../../lib/kube';
import { fixture, authority, authenticatedUser, write, problemsFrom } from './kube-config-fixture';

describe('in a pod', () => {
  test('uses the service account and rereads its token', async () => {
    write('token', 'right');
    write('ca.crt', authority.certificate);
    write('namespace', 'platform\n');
    const { hostname, port } = new URL(fixture.server.url);
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const settings = inClusterConfig({ environment, folder: fixture.folder });
    expect(settings.namespace).toBe('platform');
    expect(settings.server).toBe(fixture.server.url);
    expect(await authenticatedUser({ ...settings, serverName: 'api.test' })).toBe('right');
    fixture.acceptedTokens = new Set(['newer']);
    write('token', 'newer');
    expect(await authenticatedUser({ ...settings, serverName: 'api.test' })).toBe('newer');
    const ipv6 = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(inClusterConfig({ environment: ipv6, folder: fixture.folder }).server).toBe('https://[fd00::1]:443');
  });

  test('reports what is missing outside a pod', () => {
    expect(problemsFrom(() => inClusterConfig({ environment: {}, folder: fixture.folder }))).toEqual([
      'KUBERNETES_SERVICE_HOST: is not set, although Kubernetes sets it in every pod',
      'KUBERNETES_SERVICE_PORT: is not set, although Kubernetes sets it in every pod',
      'token: service account file not found',
      'ca.crt: service account file not found',
    ]);
  });
});
