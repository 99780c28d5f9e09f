import { type Spec, type Workload } from '../api';
import { clusterServiceName } from './cluster-service';
import { draft, type KubernetesObject } from './kubernetes-object';
import { nameOf } from './name';
import { secondsOf } from './seconds';
import { httpPort, portsOf } from './ports';
import { type World } from './world';

type LoadBalancer = NonNullable<Spec<'PinterestService'>['loadBalancer']>;
type Entrance = NonNullable<Spec<'Platform'>['ingress']['internal']>;

/** The Ingress of a workload: its host names, derived where none is given, lead to its first HTTP port. */
export function ingress(workload: Workload, loadBalancer: LoadBalancer | undefined, world: World): KubernetesObject[] {
  const target = httpPort(portsOf(loadBalancer));
  if (!loadBalancer || !target || loadBalancer.exposure === 'cluster') return [];
  const entrance = world.platform.spec.ingress[loadBalancer.exposure];
  if (!entrance) return [];
  const hosts = hostsOf(workload, loadBalancer, world);
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
    (entrance.issuer === undefined ? undefined : nameOf([workload.metadata.name, 'tls']));
  const spec = {
    ingressClassName: entrance.class,
    // Without a secret the ingress controller serves the certificate that it has itself.
    ...(tls && { tls: [{ hosts, ...(secretName !== undefined && { secretName }) }] }),
    rules: hosts.map((host) => ({ host, http: { paths } })),
  };
  return [
    draft(
      'Ingress',
      {
        name: nameOf([workload.metadata.name]),
        annotations: annotationsOf(loadBalancer, entrance, target.protocol, tls),
      },
      { spec },
    ),
  ];
}

/** Host names of a workload: as given, else its name and project below the domain of its exposure. */
export function hostsOf(workload: Workload, loadBalancer: LoadBalancer, world: World): readonly string[] {
  if (loadBalancer.hosts) return loadBalancer.hosts;
  const domain =
    (loadBalancer.exposure === 'cluster' ? undefined : world.platform.spec.ingress[loadBalancer.exposure]?.domain) ??
    world.platform.spec.domain;
  return [`${nameOf([workload.metadata.name])}.${workload.metadata.namespace}.${domain}`];
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
      entrance.issuer !== undefined &&
      loadBalancer.tls?.secretName === undefined && { 'cert-manager.io/cluster-issuer': entrance.issuer }),
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
