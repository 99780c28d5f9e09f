import { defaultPlatform, safeInstallManifests, uninstallManifests, type KubernetesObject } from '../../../lib/expand';
import { clientMonitorArguments } from '../../../lib/operations/clients/client-monitor-arguments';
import { TestAuthority } from '../../kube/certificates';

const image = 'registry.example.com/pinion/controller:1.0.0';
const clientMonitorImage = 'registry.example.com/pinion/client-monitor:1.0.0';
const gatewayImage = 'registry.example.com/pinion/gateway:1.0.0';
const gateway = { address: '10.96.0.11', certificateAuthority: new TestAuthority().certificate };
const withGateway = { ...defaultPlatform, spec: { ...defaultPlatform.spec, gateway } };

const isOfMonitor = ({ metadata }: KubernetesObject): boolean => metadata.name === 'pinion-client-monitor';
const install = (options: object): readonly KubernetesObject[] =>
  (safeInstallManifests({ image, clientMonitorImage, ...options }).objects ?? []).filter(isOfMonitor);

interface MonitorPod {
  readonly hostNetwork: boolean;
  readonly nodeSelector: object;
  readonly containers: readonly [
    {
      readonly image: string;
      readonly args: readonly string[];
      readonly env?: readonly object[];
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly securityContext: object;
    },
  ];
}
const podOf = (options: object): MonitorPod => {
  const daemon = install(options).find(({ kind }) => kind === 'DaemonSet');
  return (daemon as unknown as { spec: { template: { spec: MonitorPod } } }).spec.template.spec;
};

test('the client monitor is installed only with its image, in the namespace of the control plane', () => {
  expect(install({}).map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual([
    ['ServiceAccount', 'kube-system'],
    ['ClusterRole', undefined],
    ['ClusterRoleBinding', undefined],
    ['DaemonSet', 'kube-system'],
  ]);
  expect((safeInstallManifests({ image }).objects ?? []).filter(isOfMonitor)).toEqual([]);
});

test('it runs on control plane nodes, whose loopback address receives events, with flags that the program accepts', () => {
  const { hostNetwork, nodeSelector, containers } = podOf({});
  expect([hostNetwork, nodeSelector]).toEqual([true, { 'node-role.kubernetes.io/control-plane': '' }]);
  const [{ args, image: own, ports, securityContext }] = containers;
  const parsed = clientMonitorArguments(args);
  expect(own).toBe(clientMonitorImage);
  expect(parsed.events).toEqual({ host: '127.0.0.1', port: 9442 });
  expect(ports).toEqual([expect.objectContaining({ name: 'metrics', containerPort: parsed.status.port })]);
  expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
});

test('direct access is reported if the Platform has a gateway', () => {
  expect(clientMonitorArguments(podOf({}).containers[0].args).gateway).toBeUndefined();
  const options = { gatewayImage, documents: [withGateway] };
  expect(clientMonitorArguments(podOf(options).containers[0].args).gateway).toBe(
    'system:serviceaccount:pinion-gateway:pinion-gateway',
  );
});

test('its role reads only whose clients they are, and metrics', () => {
  const role = install({}).find(({ kind }) => kind === 'ClusterRole');
  expect(role?.['rules']).toEqual([
    { apiGroups: ['pinterest.com'], resources: ['platforms', 'projects'], verbs: ['list'] },
    { nonResourceURLs: ['/metrics'], verbs: ['get'] },
  ]);
});

describe('the client history', () => {
  const withHistory = { clientHistoryNamespace: 'pinion-quota' };

  test('is stored under the name of the node, whose API server sends the events', () => {
    const [{ args, env }] = podOf(withHistory).containers;
    expect(env).toEqual([{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }]);
    const parsed = clientMonitorArguments(args.map((arg) => arg.replace('$(NODE_NAME)', 'cp-1')));
    expect(parsed.history).toEqual({ namespace: 'pinion-quota', server: 'cp-1' });
    expect(clientMonitorArguments(podOf({}).containers[0].args).history).toBeUndefined();
  });

  test('is written with a role in its namespace, which is removed with the monitor', () => {
    const access = install(withHistory).filter(({ metadata }) => metadata.namespace === 'pinion-quota');
    expect(access).toMatchObject([
      { kind: 'Role', rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get', 'update'] }] },
      {
        kind: 'RoleBinding',
        roleRef: { kind: 'Role', name: 'pinion-client-monitor' },
        subjects: [{ kind: 'ServiceAccount', name: 'pinion-client-monitor', namespace: 'kube-system' }],
      },
    ]);
    expect(uninstallManifests({ clientMonitorImage, ...withHistory }).filter(isOfMonitor)).toHaveLength(6);
  });

  test('includes what gateways count, whose addresses the monitor may list', () => {
    const options = { gatewayImage, documents: [withGateway] };
    const { args } = podOf({ ...options, ...withHistory }).containers[0];
    expect(clientMonitorArguments(args.map((arg) => arg.replace('$(NODE_NAME)', 'cp-1'))).history?.gateways).toEqual({
      ...{ namespace: 'pinion-gateway', name: 'pinion-gateway', port: 8080 },
    });
    const accessOf = (one: object) => install(one).filter(({ metadata }) => metadata.namespace === 'pinion-gateway');
    expect(accessOf({ ...options, ...withHistory })).toMatchObject([
      {
        kind: 'Role',
        rules: [{ apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] }],
      },
      { kind: 'RoleBinding', subjects: [{ name: 'pinion-client-monitor', namespace: 'kube-system' }] },
    ]);
    expect(accessOf(options)).toEqual([]);
    expect(accessOf(withHistory)).toEqual([]);
  });

  test.each(['kube-system', 'default', 'pinion-controller', 'pinion-gateway', 'Quota', ''])(
    'is not stored in the namespace "%s"',
    (clientHistoryNamespace) => {
      const { problems } = safeInstallManifests({ image, clientMonitorImage, clientHistoryNamespace });
      expect(problems.map(({ path, code }) => [path, code])).toEqual([[['clientHistoryNamespace'], 'bad-format']]);
    },
  );

  test('is a problem without a client monitor', () => {
    const { problems } = safeInstallManifests({ image, ...withHistory });
    expect(problems.map(({ path, code }) => [path, code])).toEqual([
      [['clientHistoryNamespace'], 'invalid-combination'],
    ]);
  });
});

test('it is removed with the option of the installation, and an image without a tag is a problem', () => {
  expect(uninstallManifests({ clientMonitorImage }).filter(isOfMonitor)).toHaveLength(4);
  const { problems } = safeInstallManifests({ image, clientMonitorImage: 'monitor' });
  expect(problems.map(({ path }) => path)).toEqual([['clientMonitorImage']]);
});
