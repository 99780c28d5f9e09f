import { ingressesTo } from './belonging';
import { entriesAt, fieldIfSet, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Load balancing for clients outside the cluster. */
export interface IngressFields {
  /** Fields of the load balancer. */
  readonly fields: Fields;
  /** Protocol between the Ingress and the pods; undefined without an Ingress. */
  readonly protocol?: string;
  /** Whether requests of a client go to the same pod. */
  readonly sticky: boolean;
}

const nginx = 'nginx.ingress.kubernetes.io';

/** Returns the load balancer fields of the Ingress of a Service. */
export function ingressFieldsOf(service: NativeObject, source: RelatedObjects): IngressFields {
  const ingresses = ingressesTo(service.metadata.name, source);
  const ingress = ingresses.find(({ metadata }) => metadata.name === source.name) ?? ingresses[0];
  if (!ingress) return { fields: { exposure: 'Cluster' }, sticky: false };
  for (const other of ingresses)
    if (other !== ingress)
      source.note(
        other,
        'spec',
        'a second Ingress is not imported, because a workload can have only one; add its hosts and paths there, or keep it',
      );
  const { annotations = {}, name } = ingress.metadata;
  if (name !== source.name)
    source.note(
      ingress,
      'metadata.name',
      `the new Ingress is named ${source.name}; delete this one when the new one responds`,
    );
  const backend = annotations[`${nginx}/backend-protocol`];
  const otherAnnotations = Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !convertedAnnotations.test(key)),
  );
  const timeout = annotations[`${nginx}/proxy-read-timeout`];
  return {
    protocol: backend === 'GRPC' || backend === 'HTTPS' ? backend : 'HTTP',
    sticky: annotations[`${nginx}/affinity`] === 'cookie',
    fields: {
      exposure: exposureOf(ingress, source),
      ...fieldIfSet('hosts', hostsOf(ingress)),
      ...fieldIfSet('paths', pathsOf(ingress, service.metadata.name)),
      ...tlsOf(ingress),
      ...(timeout !== undefined && /^\d+$/.test(timeout) && { timeout: `${timeout}s` }),
      ...fieldIfSet('annotations', otherAnnotations),
    },
  };
}

/** Annotations that are converted to fields or written by tools. */
const convertedAnnotations = new RegExp(
  `^${nginx.replaceAll('.', '\\.')}/(backend-protocol|proxy-(read|send)-timeout|affinity)$|^cert-manager\\.io/|^kubectl\\.kubernetes\\.io/|^kubernetes\\.io/ingress\\.class$`,
);

const pathsIn = (ingress: NativeObject): readonly Fields[] =>
  entriesAt(ingress, 'spec', 'rules').flatMap((rule) => entriesAt(rule, 'http', 'paths'));

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

const hostsOf = (ingress: NativeObject): string[] => [
  ...new Set(entriesAt(ingress, 'spec', 'rules').flatMap((rule) => textAt(rule, 'host') ?? [])),
];

function pathsOf(ingress: NativeObject, service: string): Fields[] {
  const paths = pathsIn(ingress)
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
