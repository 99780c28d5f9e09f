import { gatewayName, gatewayStatusPort } from './gateway-objects';
import { gatewayNamespace, group, type PodSpec } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { policyRule as rule, type PolicyRule } from './policy-rule';
import { type ProgramPlacement, programSecurity, programSelector } from './program-deployment';

/** Name of the objects of the client monitor. */
export const clientMonitorName = 'pinion-client-monitor';

/** Namespace of the client monitor: that of the control plane, on whose machines and network it runs. */
export const clientMonitorNamespace = 'kube-system';

/** Ports of the client monitor on a control plane node: of the loopback address for audit events, and of all for metrics. */
export const clientMonitorPorts = { events: 9442, metrics: 9443 } as const;

/** Options of the client monitor's DaemonSet. */
export interface ClientMonitorOptions extends Pick<ProgramPlacement, 'imagePullSecrets'> {
  /** Image of the client monitor, with tag or digest. */
  readonly image: string;
  /** Whether the Platform has a gateway, so that direct access is reported. */
  readonly hasGateway: boolean;
  /** Namespace of the client history; it must exist. @default - no history is stored */
  readonly historyNamespace?: string;
}

const controlPlane = 'node-role.kubernetes.io/control-plane';

/** Rules of the client monitor's ClusterRole: whose clients they are, and the sizes of resources. */
export const clientMonitorPermissions: readonly (PolicyRule | NonResourceRule)[] = [
  rule(group, ['platforms', 'projects'], ['list']),
  { nonResourceURLs: ['/metrics'], verbs: ['get'] },
];

/**
 * Rules of the client monitor's Role in the namespace of the history: to read and write one ConfigMap at a time. Their
 * names follow from the projects, so that no rule can list them.
 */
export const clientHistoryPermissions: readonly PolicyRule[] = [rule('', ['configmaps'], ['create', 'get', 'update'])];

/** Rules of the client monitor's Role in the namespace of the gateway, whose metrics it reads for the history. */
export const gatewayEndpointPermissions: readonly PolicyRule[] = [
  rule('discovery.k8s.io', ['endpointslices'], ['list', 'watch']),
];

interface NonResourceRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the objects of the client monitor: one pod on each control plane node, to which the API server sends its audit events. */
export function clientMonitorObjects(options: ClientMonitorOptions): readonly KubernetesObject[] {
  const name = clientMonitorName;
  const selector = { matchLabels: programSelector(name) };
  const daemon = {
    revisionHistoryLimit: 3,
    selector,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    template: { metadata: { labels: programSelector(name) }, spec: pod(options) },
  };
  return [
    draftObject('ServiceAccount', { name }, { automountServiceAccountToken: false }),
    draftObject('ClusterRole', { name }, { rules: clientMonitorPermissions }),
    draftObject('ClusterRoleBinding', { name }, { roleRef: roleRef('ClusterRole'), subjects }),
    draftObject('DaemonSet', { name }, { spec: daemon }),
  ];
}

/** Returns the objects that let the client monitor store its history, in the namespace of the history. */
export const clientHistoryAccess = (): readonly KubernetesObject[] => access(clientHistoryPermissions);

/** Returns the objects that let the client monitor find the gateways, in their namespace. */
export const gatewayEndpointAccess = (): readonly KubernetesObject[] => access(gatewayEndpointPermissions);

const access = (rules: readonly PolicyRule[]): readonly KubernetesObject[] => [
  draftObject('Role', { name: clientMonitorName }, { rules }),
  draftObject('RoleBinding', { name: clientMonitorName }, { roleRef: roleRef('Role'), subjects }),
];

const subjects = [{ kind: 'ServiceAccount', name: clientMonitorName, namespace: clientMonitorNamespace }];
const roleRef = (kind: 'Role' | 'ClusterRole') => ({
  apiGroup: 'rbac.authorization.k8s.io',
  kind,
  name: clientMonitorName,
});

function pod({ image, hasGateway, historyNamespace, imagePullSecrets }: ClientMonitorOptions): PodSpec {
  const { events, metrics } = clientMonitorPorts;
  const probe = { httpGet: { path: '/healthz', port: 'metrics' }, timeoutSeconds: 5, periodSeconds: 10 };
  return {
    serviceAccountName: clientMonitorName,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    priorityClassName: 'system-node-critical',
    // The API server sends events without TLS and authentication, which must not leave the machine.
    hostNetwork: true,
    dnsPolicy: 'Default',
    nodeSelector: { [controlPlane]: '' },
    tolerations: [{ key: controlPlane, operator: 'Exists' }],
    ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((secret) => ({ name: secret })) }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'monitor',
        image,
        args: [
          `--events=127.0.0.1:${events}`,
          `--status=0.0.0.0:${metrics}`,
          ...(hasGateway ? [`--gateway=system:serviceaccount:${gatewayNamespace}:${gatewayName}`] : []),
          // A replaced pod continues what the one before it on its node has counted.
          ...(historyNamespace === undefined ? [] : [`--history=${historyNamespace}`, '--server=$(NODE_NAME)']),
          ...(historyNamespace !== undefined && hasGateway
            ? [`--gateway-metrics=${gatewayNamespace}/${gatewayName}:${gatewayStatusPort}`]
            : []),
        ],
        ...(historyNamespace !== undefined && {
          env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
        }),
        ports: [{ name: 'metrics', containerPort: metrics, hostPort: metrics, protocol: 'TCP' }],
        // A process that hangs would hold up batches of the API server.
        livenessProbe: { ...probe, failureThreshold: 3 },
        readinessProbe: { ...probe, failureThreshold: 1 },
        resources: { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '512Mi' } },
        securityContext: programSecurity,
      },
    ],
  };
}
