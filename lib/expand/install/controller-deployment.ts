import { type ResourceRequirements } from '../../api';
import { type ControllerIdentity } from './controller-identities';
import { profileRules } from './controller-rules';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import {
  programDeployment,
  type ProgramPlacement,
  programPod,
  programSecurity,
  programSelector,
} from './program-deployment';

/** Port of /livez, /readyz and /metrics. */
const port = 8080;

/** Port of the controller's profiling endpoints, if they are enabled. */
export const controllerProfilePort = 6060;

/** Options of the Deployments of controllers. */
export interface ControllerDeploymentOptions extends ProgramPlacement {
  /** Image of the controller, with tag or digest. */
  readonly image: string;
  /** Number of replicas, one of which is the leader. @default 2 */
  readonly replicas?: number;
  /**
   * Resources of each controller.
   * @default - requests of 250m CPU and 1Gi memory, and a memory limit of 1Gi; half of it for Projects and the Platform
   */
  readonly resources?: ResourceRequirements;
  /** Additional flags of the controller, such as `--log-level=debug`. @default - none */
  readonly arguments?: readonly string[];
  /**
   * Networks of the API servers, such as `10.0.0.0/24`, through which clients fetch profiles of the controller.
   * @default - profiling is disabled
   */
  readonly profilesFrom?: readonly string[];
}

/**
 * Sized for informers on 2,500 nodes and 35,000 pods; the limit equals the request, so that the node reserves all of the
 * memory.
 */
const defaultResources: ResourceRequirements = {
  requests: { cpu: '250m', memory: '1Gi' },
  limits: { memory: '1Gi' },
};

/** Projects, the Platform and workloads, without pods and nodes. */
const platformResources: ResourceRequirements = {
  requests: { cpu: '100m', memory: '512Mi' },
  limits: { memory: '512Mi' },
};

/** Creates the Deployment and PodDisruptionBudget of a controller, and the Service of its metrics. */
export function controllerObjects(
  namespace: string,
  identity: ControllerIdentity,
  options: ControllerDeploymentOptions,
): KubernetesObject[] {
  const { replicas = 2 } = options;
  const { name } = identity;
  const pod = { ...programPod(name, options), containers: [container(namespace, identity, options)] };
  const metrics = {
    clusterIP: 'None',
    // The metrics of a process that is not ready show why.
    publishNotReadyAddresses: true,
    selector: programSelector(name),
    ports: [{ name: 'metrics', port, targetPort: 'http', protocol: 'TCP' }],
  };
  return [
    ...programDeployment(name, replicas, pod),
    draftObject('Service', { name }, { spec: metrics }),
    ...(options.profilesFrom ? profileObjects(name, options.profilesFrom) : []),
  ];
}

/** Creates a NetworkPolicy that admits only the API servers to the profiling port, and a Role for clients that fetch profiles. */
function profileObjects(controller: string, networks: readonly string[]): KubernetesObject[] {
  const name = `${controller}-profiles`;
  const spec = {
    podSelector: { matchLabels: programSelector(controller) },
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
    draftObject('Role', { name }, { rules: profileRules(controller) }),
  ];
}

function container(
  namespace: string,
  { scopes }: ControllerIdentity,
  { image, resources, arguments: flags, profilesFrom }: ControllerDeploymentOptions,
) {
  const profiles = profilesFrom ? [{ name: 'profiles', containerPort: controllerProfilePort }] : [];
  const httpProbe = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 5 });
  return {
    name: 'controller',
    image,
    args: [
      `--port=${port}`,
      `--lease-namespace=${namespace}`,
      ...(scopes.length === 1 ? [`--scope=${scopes[0]}`] : []),
      ...profiles.map(({ containerPort }) => `--profile-port=${containerPort}`),
      ...(flags ?? []),
    ],
    ports: [{ name: 'http', containerPort: port }, ...profiles].map((entry) => ({
      ...entry,
      protocol: 'TCP' as const,
    })),
    // The first list requests in a large cluster are slow; liveness does not depend on them.
    livenessProbe: { ...httpProbe('/livez'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...httpProbe('/readyz'), periodSeconds: 5, failureThreshold: 3 },
    startupProbe: { ...httpProbe('/livez'), periodSeconds: 2, failureThreshold: 30 },
    resources: resources ?? (scopes.includes('workloads') ? defaultResources : platformResources),
    securityContext: programSecurity,
  };
}
