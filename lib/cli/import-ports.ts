import { valueAt } from '../api';
import { type Cluster } from '../expand';
import { entriesAt, fieldsAt, given, labelsAt, textAt, type Fields, type NativeObject } from './import-fields';
import { selects } from './nodes-selector';

/** The objects around a workload that bring clients to it, and what converting them needs. */
export interface PortSource {
  readonly name: string;
  /** Labels of its pods. */
  readonly labels: Readonly<Record<string, string>>;
  readonly around: readonly NativeObject[];
  readonly cluster: Cluster;
  note(object: NativeObject, path: string, message: string): void;
}

/** Services that send clients to pods with these labels. */
export const servicesOf = ({ around, labels }: Pick<PortSource, 'around' | 'labels'>): readonly NativeObject[] =>
  around.filter((object) => {
    const selector = labelsAt(object, 'spec', 'selector');
    return object.kind === 'Service' && Object.keys(selector).length > 0 && selects({ matchLabels: selector }, labels);
  });

/** What Services and Ingresses of a workload become. */
export function loadBalancerOf(source: PortSource): Fields {
  const services = servicesOf(source).filter((service) => valueAt(service, ['spec', 'clusterIP']) !== 'None');
  const service = services.find(({ metadata }) => metadata.name === source.name) ?? services[0];
  if (!service) return {};
  for (const other of services) if (other !== service) note(other, source);
  if (service.metadata.name !== source.name)
    source.note(
      service,
      'metadata.name',
      `the new Service is named ${source.name}; clients of ${service.metadata.name} reach the old one, which selects by labels that the new pods have too, until you delete it`,
    );
  const type = textAt(service, 'spec', 'type') ?? 'ClusterIP';
  if (type !== 'ClusterIP')
    source.note(
      service,
      'spec.type',
      `${type} gives way to ClusterIP; set loadBalancer.exposure to internal or external for clients outside of the cluster`,
    );
  const entrance = entranceOf(service, source);
  const ports = entriesAt(service, 'spec', 'ports').map((port) => portOf(port, entrance.protocol));
  const sticky = textAt(service, 'spec', 'sessionAffinity') === 'ClientIP' || entrance.sticky;
  return given('loadBalancer', { ...shortened(ports), ...entrance.fields, ...(sticky && { stickiness: true }) });
}

function note(service: NativeObject, { note: tell, name }: PortSource): void {
  tell(
    service,
    'metadata.name',
    `a second Service of the workload is left as it is; its ports can be entries of spec.ports of ${name}`,
  );
}

/** One port, as our Services list them. */
export function portOf(port: Fields, behindIngress?: string): Fields {
  const protocol = protocolOf(port, behindIngress);
  const { port: number, targetPort } = port;
  const name = textAt(port, 'name') ?? protocol.toLowerCase();
  return { name, port: number, protocol, ...(targetPort !== undefined && targetPort !== number && { targetPort }) };
}

function protocolOf(port: Fields, behindIngress: string | undefined): string {
  if (port['protocol'] === 'UDP') return 'UDP';
  const said = `${textAt(port, 'appProtocol') ?? ''} ${textAt(port, 'name') ?? ''}`.toLowerCase();
  if (/\bgrpc\b/.test(said)) return 'GRPC';
  if (/h2c|http2/.test(said)) return 'H2C';
  if (/\bhttps\b/.test(said)) return 'HTTPS';
  if (/\bhttp\b|\bweb\b/.test(said)) return behindIngress ?? 'HTTP';
  return behindIngress ?? 'TCP';
}

/** One port that is named after what it speaks needs no list. */
function shortened(ports: readonly Fields[]): Fields {
  const [only] = ports;
  if (ports.length !== 1 || !only || only['name'] !== String(only['protocol']).toLowerCase()) return { ports };
  const { port, targetPort, protocol } = only;
  return { port, ...(targetPort !== undefined && { targetPort }), ...(protocol !== 'HTTP' && { protocol }) };
}

interface Entrance {
  readonly fields: Fields;
  readonly protocol?: string;
  readonly sticky: boolean;
}

const nginx = 'nginx.ingress.kubernetes.io';

/** How clients outside of the cluster come in, by the Ingress that leads to the Service. */
function entranceOf(service: NativeObject, source: PortSource): Entrance {
  const ingresses = source.around.filter(
    (object) => object.kind === 'Ingress' && leadsTo(object, service.metadata.name),
  );
  const ingress = ingresses.find(({ metadata }) => metadata.name === source.name) ?? ingresses[0];
  if (!ingress) return { fields: { exposure: 'cluster' }, sticky: false };
  for (const other of ingresses)
    if (other !== ingress)
      source.note(
        other,
        'spec',
        'a second Ingress is left as it is; one workload has one, so add its hosts and paths there, or keep it',
      );
  const { annotations = {}, name } = ingress.metadata;
  if (name !== source.name)
    source.note(
      ingress,
      'metadata.name',
      `the new Ingress is named ${source.name}; delete this one when the new one answers`,
    );
  const backend = annotations[`${nginx}/backend-protocol`];
  const rest = Object.fromEntries(Object.entries(annotations).filter(([key]) => !ours.test(key)));
  const timeout = annotations[`${nginx}/proxy-read-timeout`];
  return {
    protocol: backend === 'GRPC' || backend === 'HTTPS' ? backend : 'HTTP',
    sticky: annotations[`${nginx}/affinity`] === 'cookie',
    fields: {
      exposure: exposureOf(ingress, source),
      ...given('hosts', hostsOf(ingress)),
      ...given('paths', pathsOf(ingress, service.metadata.name)),
      ...tlsOf(ingress),
      ...(timeout !== undefined && /^\d+$/.test(timeout) && { timeout: `${timeout}s` }),
      ...given('annotations', rest),
    },
  };
}

/** Annotations that have a field, or that tools write. */
const ours = new RegExp(
  `^${nginx.replaceAll('.', '\\.')}/(backend-protocol|proxy-(read|send)-timeout|affinity)$|^cert-manager\\.io/|^kubectl\\.kubernetes\\.io/|^kubernetes\\.io/ingress\\.class$`,
);

const backendsOf = (ingress: NativeObject): readonly Fields[] =>
  entriesAt(ingress, 'spec', 'rules').flatMap((rule) => entriesAt(rule, 'http', 'paths'));
const leadsTo = (ingress: NativeObject, service: string): boolean =>
  [...backendsOf(ingress).map((path) => fieldsAt(path, 'backend')), fieldsAt(ingress, 'spec', 'defaultBackend')].some(
    (backend) => textAt(backend, 'service', 'name') === service,
  );

function exposureOf(ingress: NativeObject, { cluster, note: tell }: PortSource): string {
  const name =
    textAt(ingress, 'spec', 'ingressClassName') ?? ingress.metadata.annotations?.['kubernetes.io/ingress.class'];
  const { internal, external } = cluster.platform.spec.ingress;
  if (name !== undefined && name === external?.class) return 'external';
  if (name === undefined || name !== internal?.class)
    tell(
      ingress,
      'spec.ingressClassName',
      `${name ?? 'the default class'} is no ingress class of this Platform; internal stands in, check loadBalancer.exposure`,
    );
  return 'internal';
}

const hostsOf = (ingress: NativeObject): string[] => [
  ...new Set(entriesAt(ingress, 'spec', 'rules').flatMap((rule) => textAt(rule, 'host') ?? [])),
];

function pathsOf(ingress: NativeObject, service: string): Fields[] {
  const paths = backendsOf(ingress)
    .filter((path) => textAt(path, 'backend', 'service', 'name') === service)
    .map((path) => ({ path: textAt(path, 'path') ?? '/', match: path['pathType'] === 'Exact' ? 'Exact' : 'Prefix' }));
  const distinct = [...new Map(paths.map((path) => [`${path.match} ${path.path}`, path])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only?.path === '/' && only.match === 'Prefix' ? [] : distinct;
}

function tlsOf(ingress: NativeObject): Fields {
  const [first] = entriesAt(ingress, 'spec', 'tls');
  const secretName = textAt(first, 'secretName');
  if (!first) return { tls: { enabled: false } };
  return secretName === undefined ? {} : { tls: { secretName } };
}
