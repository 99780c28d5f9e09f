import { ingressesTo, preferring } from './belonging';
import { entriesAt, fieldIfSet, isEmpty, textAt, type Fields } from './fields';
import { isIssuerKey, tlsOf } from './ingress-certificate';
import { hostsAndPathsOf } from './ingress-paths';
import { formatTargets, isPattern, routesOf, type IngressRoute } from './ingress-routes';
import { shownValue } from './shown-value';
import { isToolKey, withoutToolKeys } from './tool-keys';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Load balancing for clients outside the cluster. */
export interface IngressFields {
  /** Fields of the load balancer. */
  readonly fields: Fields;
  /** Numbers of the ports that the Ingress routes to. */
  readonly ports: readonly number[];
  /** Protocol between the Ingress and the pods; undefined without an Ingress. */
  readonly protocol?: string;
  /** Whether requests of a client go to the same pod. */
  readonly sticky: boolean;
}

const nginx = 'nginx.ingress.kubernetes.io';

/** Returns the load balancer fields of the Ingress of a Service. */
export function ingressFieldsOf(service: NativeObject, source: RelatedObjects): IngressFields {
  const [ingress, ...others] = preferring(source.name, ingressesTo(service.metadata.name, source));
  if (!ingress) return { fields: { exposure: 'Cluster' }, ports: [], sticky: false };
  for (const other of others) {
    const ownAnnotations = withoutToolKeys(other.metadata.annotations ?? {});
    const settings = isEmpty(ownAnnotations) ? '' : ` with the annotations ${shownValue(ownAnnotations)}`;
    source.note(
      other,
      'spec',
      `a second Ingress is not imported, because a workload can have only one: ${formatTargets(routesOf(other))}${settings}; add its hosts and paths there, or keep it`,
    );
  }
  noteReplacement(ingress, service.metadata.name, source);
  const { annotations = {} } = ingress.metadata;
  const backend = annotations[`${nginx}/backend-protocol`];
  const timeout = annotations[`${nginx}/proxy-read-timeout`];
  const exposure = exposureOf(ingress, source);
  return {
    ports: portsOf(ingress, service, source),
    protocol: backend === 'GRPC' || backend === 'HTTPS' ? backend : 'HTTP',
    sticky: annotations[`${nginx}/affinity`] === 'cookie',
    fields: {
      exposure,
      ...hostsAndPathsOf(ingress, service.metadata.name, source),
      ...tlsOf(ingress, exposure, source),
      ...(timeout !== undefined && /^\d+$/.test(timeout) && { timeout: `${timeout}s` }),
      ...fieldIfSet('annotations', keptAnnotations(ingress, source)),
    },
  };
}

/** Annotations that are converted to fields. */
const convertedAnnotations = new Set([
  `${nginx}/backend-protocol`,
  `${nginx}/proxy-read-timeout`,
  `${nginx}/proxy-send-timeout`,
  `${nginx}/affinity`,
  'kubernetes.io/ingress.class',
]);
/** Annotations that have no meaning without the pattern of a path. */
const patternAnnotations = new Set([`${nginx}/use-regex`, `${nginx}/rewrite-target`]);

function keptAnnotations(ingress: NativeObject, source: RelatedObjects): Fields {
  const hasPattern = routesOf(ingress).some(isPattern);
  return Object.fromEntries(
    Object.entries(ingress.metadata.annotations ?? {}).filter(
      ([key]) =>
        !convertedAnnotations.has(key) &&
        !isToolKey(key) &&
        !isIssuerKey(key, source) &&
        !(hasPattern && patternAnnotations.has(key)),
    ),
  );
}

/** Notes what happens to an Ingress that the new one replaces, whole or in part. */
function noteReplacement(ingress: NativeObject, service: string, { name, note }: RelatedObjects): void {
  const others = routesOf(ingress).filter((route) => route.service !== service);
  const isSameName = ingress.metadata.name === name;
  if (others.length > 0 && isSameName)
    note(
      ingress,
      'spec.rules',
      `the new Ingress has this name and only the routes to ${service}; first move the others to another Ingress: ${formatTargets(others)}`,
    );
  else if (others.length > 0)
    note(
      ingress,
      'metadata.name',
      `the new Ingress is named ${name}; when it responds, remove the routes to ${service} from this one, and keep the others: ${formatTargets(others)}`,
    );
  else if (!isSameName)
    note(ingress, 'metadata.name', `the new Ingress is named ${name}; delete this one when the new one responds`);
}

/** Returns the ports of the Service that the Ingress routes to. The new one routes to the first. */
function portsOf(ingress: NativeObject, service: NativeObject, { note }: RelatedObjects): readonly number[] {
  const ports = entriesAt(service, 'spec', 'ports');
  const routes = routesOf(ingress).filter((route) => route.service === service.metadata.name);
  const numberOf = ({ port }: IngressRoute): unknown =>
    ports.find((candidate) => candidate['name'] === port)?.['port'] ?? port;
  const [first, ...rest] = [...new Set(routes.map(numberOf))].filter((port) => typeof port === 'number');
  const others = routes.filter((route) => rest.some((port) => port === numberOf(route)));
  if (others.length > 0)
    note(
      ingress,
      'spec.rules',
      `the new Ingress routes only to port ${String(first)} of the Service; now also: ${formatTargets(others)}`,
    );
  return [first ?? Number(ports[0]?.['port'])];
}

function exposureOf(ingress: NativeObject, { cluster, note }: RelatedObjects): string {
  const name =
    textAt(ingress, 'spec', 'ingressClassName') ?? ingress.metadata.annotations?.['kubernetes.io/ingress.class'];
  const { internal, external } = cluster.platform.spec.ingress;
  if (name !== undefined && name === external?.ingressClassName) return 'External';
  if (name === undefined || name !== internal?.ingressClassName)
    note(
      ingress,
      'spec.ingressClassName',
      `${name ?? 'the default class'} is not an ingress class of this Platform; Internal is used instead, check loadBalancer.exposure`,
    );
  return 'Internal';
}
