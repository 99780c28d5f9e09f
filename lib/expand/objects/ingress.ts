import { type Spec, type Workload } from '../../api';
import { clusterServiceName } from './cluster-service';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { derivedName } from './name';
import { secondsOf } from './seconds';
import { httpPort, portsOf, type LoadBalancer } from './ports';
import { type ProjectContext } from '../project-context';

type PlatformIngress = NonNullable<Spec<'Platform'>['ingress']['internal']>;

/** Creates the Ingress of a workload, which routes its host names to its first HTTP port. */
export function ingress(
  workload: Workload,
  loadBalancer: LoadBalancer | undefined,
  context: ProjectContext,
): KubernetesObject[] {
  const target = httpPort(portsOf(loadBalancer));
  if (!loadBalancer || !target || loadBalancer.exposure === 'Cluster') return [];
  const platformIngress = ingressOf(loadBalancer, context);
  if (!platformIngress) return [];
  const hosts = hostsOf(workload, loadBalancer, context);
  // By number: the port name of a Service may be longer than an Ingress allows.
  const backend = { service: { name: clusterServiceName(workload), port: { number: target.port } } };
  const paths = (loadBalancer.paths ?? [{ path: '/', match: 'Prefix' as const }]).map(({ path, match }) => ({
    path,
    pathType: match,
    backend,
  }));
  const tls = loadBalancer.tls?.enabled ?? platformIngress.tls;
  const secretName =
    loadBalancer.tls?.secretName ??
    (platformIngress.clusterIssuer === undefined ? undefined : derivedName([workload.metadata.name, 'tls']));
  const spec = {
    ingressClassName: platformIngress.ingressClassName,
    // Without a secret, the ingress controller serves its default certificate.
    ...(tls && { tls: [{ hosts, ...(secretName !== undefined && { secretName }) }] }),
    rules: hosts.map((host) => ({ host, http: { paths } })),
  };
  return [
    draftObject(
      'Ingress',
      {
        name: derivedName([workload.metadata.name]),
        annotations: annotationsOf(loadBalancer, platformIngress, target.protocol, tls),
      },
      { spec },
    ),
  ];
}

/** Returns the Platform's ingress for the exposure of a load balancer; undefined if it is exposed only in the cluster. */
function ingressOf({ exposure }: LoadBalancer, context: ProjectContext): PlatformIngress | undefined {
  const { internal, external } = context.platform.spec.ingress;
  return { Cluster: undefined, Internal: internal, External: external }[exposure];
}

/** Returns the host names of a workload. Defaults to `<name>.<project>.<domain>`, with the domain of the exposure. */
export function hostsOf(workload: Workload, loadBalancer: LoadBalancer, context: ProjectContext): readonly string[] {
  if (loadBalancer.hosts) return loadBalancer.hosts;
  const domain = ingressOf(loadBalancer, context)?.domain ?? context.platform.spec.domain;
  return [`${derivedName([workload.metadata.name])}.${workload.metadata.namespace}.${domain}`];
}

function annotationsOf(
  loadBalancer: LoadBalancer,
  platformIngress: PlatformIngress,
  protocol: string,
  tls: boolean,
): Record<string, string> {
  const nginx = 'nginx.ingress.kubernetes.io';
  const backend = { HTTPS: 'HTTPS', GRPC: 'GRPC' }[protocol];
  const seconds = loadBalancer.timeout === undefined ? undefined : String(secondsOf(loadBalancer.timeout));
  return {
    ...(tls &&
      platformIngress.clusterIssuer !== undefined &&
      loadBalancer.tls?.secretName === undefined && {
        'cert-manager.io/cluster-issuer': platformIngress.clusterIssuer,
      }),
    ...(backend !== undefined && { [`${nginx}/backend-protocol`]: backend }),
    ...(seconds !== undefined && {
      [`${nginx}/proxy-read-timeout`]: seconds,
      [`${nginx}/proxy-send-timeout`]: seconds,
    }),
    ...(loadBalancer.stickiness && { [`${nginx}/affinity`]: 'cookie' }),
    ...platformIngress.annotations,
    ...loadBalancer.annotations,
  };
}
