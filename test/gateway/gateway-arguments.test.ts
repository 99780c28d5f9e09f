import { gatewayArguments, gatewayUsage } from '../../lib/gateway/gateway-arguments';

const tls = ['--tls-certificate', '/tls/tls.crt', '--tls-key', '/tls/tls.key'];

describe("the gateway's command line", () => {
  it('needs only the certificate', () => {
    expect(gatewayArguments(tls)).toEqual({
      host: '0.0.0.0',
      port: 8443,
      statusPort: 8080,
      tls: { certificate: '/tls/tls.crt', key: '/tls/tls.key' },
      audience: 'pinion-gateway',
      resources: [],
      cacheConfigMaps: false,
      platformNamespaces: [],
      shutdownDelay: 5,
      drain: 15,
      logLevel: 'info',
    });
  });

  it('takes resources with and without a group, of any version', () => {
    const flags = ['pods.v1', 'endpointslices.v1.discovery.k8s.io', 'widgets.v1alpha1.example.com'];
    expect(gatewayArguments([...tls, ...flags.map((name) => `--resource=${name}`)]).resources).toEqual([
      { plural: 'pods', version: 'v1', group: '' },
      { plural: 'endpointslices', version: 'v1', group: 'discovery.k8s.io' },
      { plural: 'widgets', version: 'v1alpha1', group: 'example.com' },
    ]);
  });

  it('serves without TLS only if that is said', () => {
    expect(() => gatewayArguments([])).toThrow('--tls-certificate and --tls-key: are both needed');
    expect(() => gatewayArguments(tls.slice(0, 2))).toThrow('are both needed');
    expect(gatewayArguments(['--plain'])).not.toHaveProperty('tls');
    expect(() => gatewayArguments(['--plain', ...tls])).toThrow('--plain: serves without TLS; remove it');
  });

  it('reports every invalid flag with its value and the valid values', () => {
    const flags = ['--port', 'http', '--drain=', '--resource', 'pods', '--resource=Pods.v1', '--log-level', 'loud'];
    for (const message of [
      /--port http: .* 0 to 65535/,
      /--drain : .* 0 to 3600/,
      /--resource pods: use PLURAL\.VERSION/,
      /--resource Pods\.v1: use/,
      /--log-level loud: use debug/,
    ])
      expect(() => gatewayArguments([...tls, ...flags])).toThrow(message);
  });

  it.each([
    [['secrets.v1'], '"secrets" are not cached, because'],
    [['configmaps.v1'], '"configmaps" are not cached by default'],
    [['pods.v1', 'pods.v1'], '"pods" is there twice; remove one of them'],
    [['jobs.v1.batch', 'jobs.v1beta1.batch'], '"jobs.batch" is there twice'],
  ])('rejects the resources %j', (names, message) => {
    expect(() => gatewayArguments([...tls, ...names.map((name) => `--resource=${name}`)])).toThrow(message);
  });

  it('caches config maps if that is allowed', () => {
    expect(gatewayArguments([...tls, '--resource=configmaps.v1', '--cache-config-maps'])).toMatchObject({
      resources: [{ plural: 'configmaps' }],
      cacheConfigMaps: true,
    });
  });

  it('rejects an unknown flag', () => {
    expect(() => gatewayArguments([...tls, '--cache-secrets'])).toThrow(/--cache-secrets/);
  });

  it('has help for every flag', () => {
    expect(gatewayUsage()).toMatch(/--status-port STATUS_PORT +port of \/livez.*\[8080\]/);
    expect(gatewayUsage()).toContain('--shutdown-delay');
  });
});
