import { type PodSpec, type ResourceRequirements, type Toleration } from '../../api';
import { profileRules } from './controller-rules';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

/** Name of the controller's own objects: Deployment, ServiceAccount, Service, roles, and the Lease by which one process leads. */
export const controllerName = 'pinion-controller';

/** Port of /livez, /readyz and /metrics. */
const port = 8080;

/** Port of the controller's profiles, where they are served. */
export const controllerProfilePort = 6060;

/** How the controller runs. */
export interface ControllerDeploymentOptions {
  /** Image of the controller, with its tag or digest. */
  readonly image: string;
  /** Processes, of which one leads. @default 2 */
  readonly replicas?: number;
  /** Priority class of its pods; an empty text for none. @default system-cluster-critical */
  readonly priorityClass?: string;
  /** @default - 250m of CPU, 1Gi of memory and no more than that */
  readonly resources?: ResourceRequirements;
  /** Names of secrets of its namespace by which the image is pulled. @default - none */
  readonly imagePullSecrets?: readonly string[];
  /** Labels of nodes that it runs on. @default - any */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly tolerations?: readonly Toleration[];
  /** Further flags of the controller, such as `--log-level=debug`. @default - none */
  readonly arguments?: readonly string[];
  /**
   * Networks of the API servers, such as `10.0.0.0/24`: through them alone profiles of the controller are fetched.
   * @default - no profiles are taken
   */
  readonly profilesFrom?: readonly string[];
}

/** Room for the informers on 2,500 nodes and 35,000 pods; memory beyond the request is none that a node promised. */
const defaultResources: ResourceRequirements = {
  requests: { cpu: '250m', memory: '1Gi' },
  limits: { memory: '1Gi' },
};

const selector = { 'app.kubernetes.io/name': controllerName };

/** The controller's Deployment, the budget that keeps one process up while nodes are drained, and the Service of its metrics. */
export function controllerObjects(namespace: string, options: ControllerDeploymentOptions): KubernetesObject[] {
  const { replicas = 2 } = options;
  const name = controllerName;
  const spec = {
    replicas,
    revisionHistoryLimit: 3,
    selector: { matchLabels: selector },
    // The next process syncs its informers before an old one goes.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: { metadata: { labels: selector }, spec: pod(namespace, options) },
  };
  const budget = {
    maxUnavailable: 1,
    selector: { matchLabels: selector },
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  };
  const metrics = {
    clusterIP: 'None',
    // Metrics of a process that cannot take over yet say why.
    publishNotReadyAddresses: true,
    selector,
    ports: [{ name: 'metrics', port, targetPort: 'http', protocol: 'TCP' }],
  };
  return [
    draftObject('ServiceAccount', { name }, { automountServiceAccountToken: false }),
    draftObject('Deployment', { name }, { spec }),
    ...(replicas > 1 ? [draftObject('PodDisruptionBudget', { name }, { spec: budget })] : []),
    draftObject('Service', { name }, { spec: metrics }),
    ...(options.profilesFrom ? profileObjects(options.profilesFrom) : []),
  ];
}

/** What profiles need: a policy that lets the API servers alone to their port, and a role for whoever may fetch them. */
function profileObjects(networks: readonly string[]): KubernetesObject[] {
  const name = `${controllerName}-profiles`;
  const spec = {
    podSelector: { matchLabels: selector },
    policyTypes: ['Ingress'],
    ingress: [
      { ports: [{ port, protocol: 'TCP' }] },
      {
        from: networks.map((cidr) => ({ ipBlock: { cidr } })),
        ports: [{ port: controllerProfilePort, protocol: 'TCP' }],
      },
    ],
  };
  return [
    draftObject('NetworkPolicy', { name }, { spec }),
    draftObject('Role', { name }, { rules: profileRules(controllerName) }),
  ];
}

function pod(namespace: string, options: ControllerDeploymentOptions): PodSpec {
  const { priorityClass = 'system-cluster-critical', imagePullSecrets, nodeSelector, tolerations } = options;
  return {
    serviceAccountName: controllerName,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    ...(priorityClass !== '' && { priorityClassName: priorityClass }),
    ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'ScheduleAnyway' as const,
      labelSelector: { matchLabels: selector },
      matchLabelKeys: ['pod-template-hash'],
    })),
    containers: [container(namespace, options)],
  };
}

function container(
  namespace: string,
  { image, resources, arguments: flags, profilesFrom }: ControllerDeploymentOptions,
) {
  const profiles = profilesFrom ? [{ name: 'profiles', containerPort: controllerProfilePort }] : [];
  const ask = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 5 });
  return {
    name: 'controller',
    image,
    args: [
      `--port=${port}`,
      `--lease-namespace=${namespace}`,
      ...profiles.map(({ containerPort }) => `--profile-port=${containerPort}`),
      ...(flags ?? []),
    ],
    ports: [{ name: 'http', containerPort: port }, ...profiles].map((one) => ({ ...one, protocol: 'TCP' as const })),
    // A first list of a large cluster takes its time; a process that syncs lives.
    livenessProbe: { ...ask('/livez'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...ask('/readyz'), periodSeconds: 5, failureThreshold: 3 },
    startupProbe: { ...ask('/livez'), periodSeconds: 2, failureThreshold: 30 },
    resources: resources ?? defaultResources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}
