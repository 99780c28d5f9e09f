import { apiVersion, type ManifestInput, type PlatformKind } from '../../../lib/api';
import {
  defaultPlatform,
  gatewayPermissions,
  installManifests,
  safeInstallManifests,
  uninstallManifests,
  type KubernetesObject,
} from '../../../lib/expand';
import { gatewayArguments } from '../../../lib/gateway/gateway-arguments';
import { TestAuthority } from '../../kube/certificates';

const certificateAuthority = new TestAuthority().certificate;
const image = 'registry.example.com/pinion/controller:1.0.0';
const gatewayImage = 'registry.example.com/pinion/gateway:1.0.0';
type Settings = NonNullable<ManifestInput<'Platform'>['spec']['gateway']>;
const settings: Settings = { address: '10.96.0.11', certificateAuthority };
const platform = (gateway: Settings | undefined = settings): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, gateway },
});
const install = (gateway?: Settings, ...more: readonly ManifestInput<PlatformKind>[]) =>
  safeInstallManifests({ image, gatewayImage, documents: [platform(gateway), ...more] });

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

const isOfGateway = ({ metadata }: KubernetesObject): boolean => metadata.name === 'pinion-gateway';
const keyOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;
/** Kinds of the objects that bound clients of the API server, and lead native pods to the gateway. */
const enforcementKinds = [
  'PriorityLevelConfiguration',
  'FlowSchema',
  'FlowSchema',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
];
const objectsOf = (gateway?: Settings, kubernetesVersion?: '1.35'): readonly KubernetesObject[] => {
  const { spec, ...rest } = platform(gateway);
  const document = { ...rest, spec: { ...spec, ...(kubernetesVersion && { kubernetesVersion }) } };
  return safeInstallManifests({ image, gatewayImage, documents: [document] }).objects ?? [];
};
const specOf = <T>(kind: string, gateway?: Settings): T =>
  objectsOf(gateway).find((object) => object.kind === kind && isOfGateway(object))?.['spec'] as T;
const containerOf = (gateway?: Settings): Container => {
  const { template } = specOf<{ template: { spec: { containers: readonly [Container] } } }>('Deployment', gateway);
  return template.spec.containers[0];
};

describe('the gateway of an installation', () => {
  it('has its own namespace, and objects in it alone', () => {
    const own = objectsOf().filter(isOfGateway);
    expect(own.map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual([
      ['Namespace', undefined],
      ['ServiceAccount', 'pinion-gateway'],
      ['ClusterRole', undefined],
      ['ClusterRoleBinding', undefined],
      ['NetworkPolicy', 'pinion-gateway'],
      ['PodDisruptionBudget', 'pinion-gateway'],
      ['Service', 'pinion-gateway'],
      ['Deployment', 'pinion-gateway'],
    ]);
    const without = installManifests({ image, documents: [defaultPlatform] });
    expect(without.filter(isOfGateway)).toEqual([]);
    const known = new Set(without.map(keyOf));
    const others = objectsOf().filter((object) => !isOfGateway(object) && !known.has(keyOf(object)));
    expect(others.map(({ kind }) => kind)).toEqual(enforcementKinds);
  });

  it("keeps programs, system namespaces and infrastructure projects out of the clients' share of the API server", () => {
    const document: ManifestInput<'Platform'> = {
      ...defaultPlatform,
      spec: {
        ...defaultPlatform.spec,
        gateway: settings,
        runtime: { project: 'node-parts' },
        systemNamespaces: [{ name: 'calico-system', quota: {} }],
      },
    };
    const projects = [true, false].map((infrastructure): ManifestInput<'Project'> => ({
      apiVersion,
      kind: 'Project',
      metadata: { name: infrastructure ? 'drivers' : 'shop' },
      spec: { team: 'retail', infrastructure },
    }));
    const { objects = [] } = safeInstallManifests({ image, gatewayImage, documents: [document, ...projects] });
    const schema = objects.find(({ kind, metadata }) => kind === 'FlowSchema' && metadata.name === 'pinion-programs');
    const subjects = [
      'pinion-controller',
      'pinion-gateway',
      'pinion-canary',
      'pinion-quota',
      'pinion-submission',
      'node-parts',
      'calico-system',
      'drivers',
    ].map((namespace) => ({ kind: 'ServiceAccount', serviceAccount: { namespace, name: '*' } }));
    expect(schema?.['spec']).toMatchObject({ rules: [{ subjects }] });
  });

  it('is removed with its policies and flow schemas, each before the priority level that it refers to', () => {
    const removed = uninstallManifests({ documents: [platform()] }).map(({ kind }) => kind);
    expect(removed).toEqual(expect.arrayContaining(enforcementKinds));
    expect(removed.lastIndexOf('FlowSchema')).toBeLessThan(removed.indexOf('PriorityLevelConfiguration'));
  });

  it('has no policy that Kubernetes 1.35 serves only with a flag, before a stage needs it', () => {
    const kinds = (stage: 'Off' | 'Observe'): readonly string[] =>
      objectsOf({ ...settings, stage }, '1.35').map(({ kind }) => kind);
    expect(kinds('Off')).not.toContain('MutatingAdmissionPolicy');
    expect(kinds('Observe')).toContain('MutatingAdmissionPolicy');
  });

  it('is reached at the address and port of the Platform', () => {
    expect(specOf('Service', { ...settings, address: '10.96.0.99', port: 6443 })).toMatchObject({
      clusterIP: '10.96.0.99',
      ports: [{ port: 6443, targetPort: 'https' }],
    });
    const open = { ports: [8443, 8080].map((port) => ({ port, protocol: 'TCP' })) };
    expect(specOf('NetworkPolicy')).toMatchObject({ policyTypes: ['Ingress'], ingress: [open] });
  });

  it('has flags that the program accepts, and ports that it serves', () => {
    const { image: own, args, ports } = containerOf({ ...settings, resources: ['deployments.v1.apps'] });
    const parsed = gatewayArguments(args);
    expect(own).toBe(gatewayImage);
    expect(ports.map(({ name, containerPort }) => [name, containerPort])).toEqual([
      ['https', parsed.port],
      ['status', parsed.statusPort],
    ]);
    expect(parsed.resources).toContainEqual({ plural: 'deployments', version: 'v1', group: 'apps' });
    expect(parsed.resources.map(({ plural }) => plural)).toEqual(
      expect.arrayContaining(['pods', 'nodes', 'services', 'namespaces', 'endpointslices', 'pinterestservices']),
    );
    const programs = ['pinion-controller', 'pinion-gateway', 'pinion-canary', 'pinion-quota', 'pinion-submission'];
    expect(parsed.platformNamespaces).toEqual(programs);
    expect(parsed).toMatchObject({ audience: 'pinion-gateway', tls: { certificate: '/etc/pinion/tls/tls.crt' } });
  });

  it('is killed only after its watches have ended', () => {
    const { shutdownDelay, drain } = gatewayArguments(containerOf().args);
    const pod = specOf<{ template: { spec: { terminationGracePeriodSeconds: number } } }>('Deployment').template.spec;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdownDelay + drain);
  });

  it('never has fewer gateways than it should while it is rolled, and one has no budget', () => {
    expect(specOf('Deployment', { ...settings, replicas: 3 })).toMatchObject({
      replicas: 3,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
    expect(specOf('PodDisruptionBudget', { ...settings, replicas: 1 })).toBeUndefined();
  });

  it('may read what it caches and act as service accounts, and nothing else', () => {
    const rules = gatewayPermissions({ resources: ['widgets.v1alpha1.example.com'] });
    const words = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
    expect(words.filter((word) => word.includes('*') || word === 'secrets')).toEqual([]);
    expect(rules).toContainEqual({
      apiGroups: ['example.com'],
      resources: ['widgets'],
      verbs: ['list', 'watch'],
    });
    const impersonated = rules
      .filter(({ verbs }) => verbs.includes('impersonate'))
      .flatMap(({ resources }) => resources);
    expect(impersonated.filter((resource) => !resource.startsWith('userextras/authentication.kubernetes.io/'))).toEqual(
      ['serviceaccounts', 'uids'],
    );
    expect([...new Set(rules.flatMap(({ verbs }) => verbs))].sort()).toEqual([
      'create',
      'impersonate',
      'list',
      'watch',
    ]);
  });

  it('caches another version of a resource instead of its own', () => {
    const { resources } = gatewayArguments(containerOf({ ...settings, resources: ['pods.v2'] }).args);
    expect(resources.filter(({ plural }) => plural === 'pods')).toEqual([{ plural: 'pods', version: 'v2', group: '' }]);
  });

  it('may cache config maps if the Platform says so', () => {
    const flags = containerOf({ ...settings, resources: ['configmaps.v1'], cacheConfigMaps: true }).args;
    expect(gatewayArguments(flags)).toMatchObject({ cacheConfigMaps: true });
  });

  it('is deleted with an uninstall', () => {
    expect(uninstallManifests({ documents: [platform()] }).filter(isOfGateway)).toHaveLength(8);
    expect(uninstallManifests().filter(isOfGateway)).toEqual([]);
  });
});

describe('problems of the gateway', () => {
  const messages = ({ problems }: ReturnType<typeof install>) =>
    problems.map(({ severity = 'error', path, reason }) => `${severity} ${path.join('.')}: ${reason}`);

  it.each([
    ['Secrets', ['secrets.v1'], 'must not include Secrets, because the gateway would hold the credentials'],
    ['config maps', ['configmaps.v1'], 'includes ConfigMaps, some of which contain credentials'],
    ['two versions of a resource', ['jobs.v1.batch', 'jobs.v2.batch'], 'is the second version of the same resource'],
  ])('%s are not cached', (_, resources, reason) => {
    const result = install({ ...settings, resources });
    expect(messages(result)).toEqual([expect.stringContaining(reason)]);
    expect(result.objects).toBeUndefined();
  });

  it('a Secret of another group is cached', () => {
    expect(
      messages(install({ ...settings, resources: ['secrets.v1.example.com', 'configmaps.v1.example.com'] })),
    ).toEqual([]);
  });

  it('a Platform with a gateway and no image installs none, and says so', () => {
    const result = safeInstallManifests({ image, documents: [platform()] });
    expect(messages(result)).toEqual([
      'warning gatewayImage: is not given, so the gateway of the Platform is not installed',
    ]);
    expect(result.objects?.filter(isOfGateway)).toEqual([]);
  });

  it('an image needs a gateway of the Platform, and a tag', () => {
    expect(messages(safeInstallManifests({ image, gatewayImage, documents: [defaultPlatform] }))).toEqual([
      'error gatewayImage: is given, but the Platform has no gateway',
    ]);
    const untagged = safeInstallManifests({ image, gatewayImage: 'gateway', documents: [platform()] });
    expect(messages(untagged)).toEqual([expect.stringContaining('error gatewayImage')]);
  });

  it('its namespace belongs to nothing else', () => {
    const project = {
      ...defaultPlatform,
      kind: 'Project',
      metadata: { name: 'pinion-gateway' },
      spec: { team: 'a' },
    } as const;
    for (const result of [
      install(settings, project),
      safeInstallManifests({ image, gatewayImage, namespace: 'pinion-gateway', documents: [platform()] }),
    ])
      expect(messages(result)).toEqual([
        expect.stringContaining('needs the namespace pinion-gateway for the gateway alone'),
      ]);
  });
});
