import { type Spec, type Workload } from '../../api';
import { clusterServiceName } from './cluster-service';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { derivedName } from './name';
import { secondsOf } from './seconds';
import { httpPort, portsOf, type LoadBalancer } from './ports';
import { type ProjectContext } from '../project-context';

type Entrance = NonNullable<Spec<'Platform'>['ingress']['internal']>;

/** The Ingress of a workload: its host names, derived where none is given, lead to its first HTTP port. */
export function ingress(
  workload: Workload,
  loadBalancer: LoadBalancer | undefined,
  context: ProjectContext,
): KubernetesObject[] {
  const target = httpPort(portsOf(loadBalancer));
  if (!loadBalancer || !target || loadBalancer.exposure === 'Cluster') return [];
  const entrance = ingressOf(loadBalancer, context);
  if (!entrance) return [];
  const hosts = hostsOf(workload, loadBalancer, context);
  // By number: the name of a port of a Service may be longer than an Ingress takes.
  const backend = { service: { name: clusterServiceName(workload), port: { number: target.port } } };
  const paths = (loadBalancer.paths ?? [{ path: '/', match: 'Prefix' as const }]).map(({ path, match }) => ({
    path,
    pathType: match,
    backend,
  }));
  const tls = loadBalancer.tls?.enabled ?? entrance.tls;
  const secretName =
    loadBalancer.tls?.secretName ??
    (entrance.clusterIssuer === undefined ? undefined : derivedName([workload.metadata.name, 'tls']));
  const spec = {
    ingressClassName: entrance.ingressClassName,
    // Without a secret the ingress controller serves the certificate that it has itself.
    ...(tls && { tls: [{ hosts, ...(secretName !== undefined && { secretName }) }] }),
    rules: hosts.map((host) => ({ host, http: { paths } })),
  };
  return [
    draftObject(
      'Ingress',
      {
        name: derivedName([workload.metadata.name]),
        annotations: annotationsOf(loadBalancer, entrance, target.protocol, tls),
      },
      { spec },
    ),
  ];
}

/** Returns the Platform's ingress for the exposure of a load balancer; undefined where it stays in the cluster. */
function ingressOf({ exposure }: LoadBalancer, context: ProjectContext): Entrance | undefined {
  const { internal, external } = context.platform.spec.ingress;
  return { Cluster: undefined, Internal: internal, External: external }[exposure];
}

/** Host names of a workload: as given, else its name and project below the domain of its exposure. */
export function hostsOf(workload: Workload, loadBalancer: LoadBalancer, context: ProjectContext): readonly string[] {
  if (loadBalancer.hosts) return loadBalancer.hosts;
  const domain = ingressOf(loadBalancer, context)?.domain ?? context.platform.spec.domain;
  return [`${derivedName([workload.metadata.name])}.${workload.metadata.namespace}.${domain}`];
}

function annotationsOf(
  loadBalancer: LoadBalancer,
  entrance: Entrance,
  protocol: string,
  tls: boolean,
): Record<string, string> {
  const nginx = 'nginx.ingress.kubernetes.io';
  const backend = { HTTPS: 'HTTPS', GRPC: 'GRPC' }[protocol];
  const seconds = loadBalancer.timeout === undefined ? undefined : String(secondsOf(loadBalancer.timeout));
  return {
    ...(tls &&
      entrance.clusterIssuer !== undefined &&
      loadBalancer.tls?.secretName === undefined && { 'cert-manager.io/cluster-issuer': entrance.clusterIssuer }),
    ...(backend !== undefined && { [`${nginx}/backend-protocol`]: backend }),
    ...(seconds !== undefined && {
      [`${nginx}/proxy-read-timeout`]: seconds,
      [`${nginx}/proxy-send-timeout`]: seconds,
    }),
    ...(loadBalancer.stickiness && { [`${nginx}/affinity`]: 'cookie' }),
    ...entrance.annotations,
    ...loadBalancer.annotations,
  };
}
