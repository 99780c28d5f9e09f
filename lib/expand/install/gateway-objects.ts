import {
  gatewayAudience,
  gatewayNamespace,
  gatewayPort,
  group,
  pinionKinds,
  type PlatformManifest,
  type PodSpec,
} from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { policyRule as rule, type PolicyRule } from './policy-rule';
import {
  programDeployment,
  type ProgramPlacement,
  programPod,
  programSecurity,
  programSelector,
} from './program-deployment';

/** Name of the objects of the gateway: as that of their namespace, which contains nothing else. */
export const gatewayName = gatewayNamespace;

/** Secret with the serving certificate, as `kubernetes.io/tls`: its keys are `tls.crt` and `tls.key`. */
export const gatewayCertificateSecret = 'pinion-gateway-tls';

/** Settings of the gateway in the Platform. */
export type GatewaySettings = NonNullable<PlatformManifest<'Platform'>['spec']['gateway']>;

/** Options of the gateway's Deployment. */
export interface GatewayDeploymentOptions extends ProgramPlacement {
  /** Image of the gateway, with tag or digest. */
  readonly image: string;
  readonly settings: GatewaySettings;
  /** Namespaces of the platform's programs: tenants cannot use up the seats of their requests. */
  readonly platformNamespaces: readonly string[];
}

/** Resource that the gateway caches. */
interface CachedResourceName {
  readonly plural: string;
  readonly version: string;
  /** Empty for the core group. */
  readonly group: string;
}

/** Port on which each gateway serves its metrics and health. */
export const gatewayStatusPort = 8080;

const ports = { https: gatewayPort, status: gatewayStatusPort } as const;
const tlsFolder = '/etc/pinion/tls';
const selector = programSelector(gatewayName);

/** Seconds before the first watch ends on shutdown, until the last one ends, and until the process is killed. */
const shutdown = { delay: 5, drain: 15, grace: 30 } as const;

const builtInResources: readonly CachedResourceName[] = [
  ...['pods', 'nodes', 'services', 'namespaces'].map((plural) => ({ plural, version: 'v1', group: '' })),
  { plural: 'endpointslices', version: 'v1', group: 'discovery.k8s.io' },
  ...Object.values(pinionKinds).map(({ plural }) => ({ plural, version: 'v1', group })),
];

/** Lists the resources that the gateway caches, each once; those that the settings name come last. */
export function gatewayResources({ resources }: Pick<GatewaySettings, 'resources'>): readonly CachedResourceName[] {
  const named = resources.map((text) => {
    const [plural = '', version = '', ...others] = text.split('.');
    return { plural, version, group: others.join('.') };
  });
  const isNamed = (one: CachedResourceName): boolean =>
    named.some(({ plural, group: of }) => plural === one.plural && of === one.group);
  return [...builtInResources.filter((one) => !isNamed(one)), ...named];
}

/** Keys of the extra data that tokens of service accounts have. */
const tokenFacts = ['credential-id', 'node-name', 'node-uid', 'pod-name', 'pod-uid'].map(
  (name) => `userextras/authentication.kubernetes.io/${name}`,
);

/**
 * Returns the rules of the gateway's ClusterRole: it reads what it caches, mirrors roles, reviews tokens, and acts as
 * service accounts, but as no other user and no group.
 */
export function gatewayPermissions(settings: Pick<GatewaySettings, 'resources'>): readonly PolicyRule[] {
  const resources = gatewayResources(settings);
  const groups = [...new Set(resources.map((one) => one.group))];
  const authentication = 'authentication.k8s.io';
  return [
    ...groups.map((name) =>
      rule(
        name,
        resources.filter((one) => one.group === name).map(({ plural }) => plural),
        ['list', 'watch'],
      ),
    ),
    rule('', ['serviceaccounts'], ['impersonate', 'list', 'watch']),
    rule(
      'rbac.authorization.k8s.io',
      ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
      ['list', 'watch'],
    ),
    rule(authentication, ['tokenreviews'], ['create']),
    rule(authentication, ['uids', ...tokenFacts], ['impersonate']),
  ];
}

/** Returns the objects of the gateway in its namespace; the Secret with its certificate is not among them. */
export function gatewayObjects(options: GatewayDeploymentOptions): readonly KubernetesObject[] {
  const { replicas } = options.settings;
  const name = gatewayName;
  const subjects = [{ kind: 'ServiceAccount', name, namespace: gatewayNamespace }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const ingress = [{ ports: Object.values(ports).map((port) => ({ port, protocol: 'TCP' })) }];
  return [
    draftObject('ClusterRole', { name }, { rules: gatewayPermissions(options.settings) }),
    draftObject('ClusterRoleBinding', { name }, { roleRef, subjects }),
    ...programDeployment(name, replicas, pod(options)),
    draftObject('Service', { name }, { spec: service(options.settings) }),
    draftObject(
      'NetworkPolicy',
      { name },
      { spec: { podSelector: { matchLabels: selector }, policyTypes: ['Ingress'], ingress } },
    ),
  ];
}

const service = ({ address, port }: GatewaySettings) => ({
  // Clients are given the address, as that of the API server: they need no DNS to find the gateway.
  clusterIP: address,
  selector,
  ports: [{ name: 'https', port, targetPort: 'https', protocol: 'TCP' }],
});

function pod(options: GatewayDeploymentOptions): PodSpec {
  const placed = programPod(gatewayName, options);
  return {
    ...placed,
    terminationGracePeriodSeconds: shutdown.grace,
    securityContext: { ...placed.securityContext, fsGroup: 65532 },
    // Readable by the group of the process only.
    volumes: [{ name: 'tls', secret: { secretName: gatewayCertificateSecret, defaultMode: 0o440 } }],
    containers: [container(options)],
  };
}

function container({ image, settings, platformNamespaces }: GatewayDeploymentOptions) {
  const resources = gatewayResources(settings).map(({ plural, version, group: of }) =>
    [plural, version, ...(of === '' ? [] : [of])].join('.'),
  );
  const httpProbe = (path: string) => ({ httpGet: { path, port: 'status' }, timeoutSeconds: 5 });
  return {
    name: 'gateway',
    image,
    args: [
      `--port=${ports.https}`,
      `--status-port=${ports.status}`,
      `--tls-certificate=${tlsFolder}/tls.crt`,
      `--tls-key=${tlsFolder}/tls.key`,
      `--audience=${gatewayAudience}`,
      `--shutdown-delay=${shutdown.delay}`,
      `--drain=${shutdown.drain}`,
      ...(settings.cacheConfigMaps ? ['--cache-config-maps'] : []),
      ...resources.map((name) => `--resource=${name}`),
      ...platformNamespaces.map((name) => `--platform-namespace=${name}`),
    ],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' as const })),
    // Liveness does not depend on the API server: a restart would lose the caches and end all watches.
    livenessProbe: { ...httpProbe('/livez'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...httpProbe('/readyz'), periodSeconds: 2, failureThreshold: 1 },
    startupProbe: { ...httpProbe('/livez'), periodSeconds: 2, failureThreshold: 30 },
    // The limit equals the request, so that the node reserves all of the memory.
    resources: { requests: { cpu: '500m', memory: '2Gi' }, limits: { memory: '2Gi' } },
    volumeMounts: [{ name: 'tls', mountPath: tlsFolder, readOnly: true }],
    securityContext: programSecurity,
  };
}
