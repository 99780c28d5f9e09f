import { valueAt } from '../../../api';
import { ingressesTo, isHeadless, servicesOf } from './belonging';
import { sharersOf } from './connected-objects';
import { entriesAt, fieldIfSet, textAt, type Fields } from './fields';
import { loadBalancerOf } from './load-balancer';
import { type NativeObject } from './native-object';
import { usesOfService } from './old-names';
import { type RelatedObjects } from './related-objects';
import { portOf } from './service-port';
import { shownValue } from './shown-value';

/** Returns the name of the Service that gives the members of a set their host names; undefined if it names none. */
export const governingServiceOf = (object: NativeObject): string | undefined =>
  textAt(object, 'spec', 'serviceName') || undefined;

/** Converts the Services of a stateful set: that of its members, whose host names are kept, and those of its clients. */
export function memberServicesOf(source: RelatedObjects): Fields {
  const { object, name } = source;
  const governing = governingServiceOf(object);
  const keepsHostNames = governing !== undefined && object.metadata.name === name && givesHostNames(governing, source);
  if (!keepsHostNames || governing === `${name}-members`) {
    if (governing !== undefined && governing !== `${name}-members`) noteNewNames(governing, source);
    return { ...memberPortsOf(source), ...loadBalancerOf(source) };
  }
  const clients = governing === name ? noteClients(source) : loadBalancerOf(source);
  return { membersService: governing, ...memberPortsOf(source), ...clients };
}

/** Returns whether members have host names in the domain of a Service that is theirs: it is headless, or elsewhere. */
function givesHostNames(governing: string, source: RelatedObjects): boolean {
  const service = serviceOf(governing, source);
  if (service) return isHeadless(service) && sharersOfMembers(governing, source).length === 0;
  return governing !== source.name || servicesOf(source).every(isHeadless);
}

const serviceOf = (governing: string, { relatedObjects }: RelatedObjects): NativeObject | undefined =>
  relatedObjects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === governing);

/** Returns the other workloads that a headless Service gives host names, and that it would no longer select. */
function sharersOfMembers(governing: string, source: RelatedObjects): readonly string[] {
  const { object, relatedObjects } = source;
  const service = serviceOf(governing, source);
  const others = relatedObjects.filter(
    (other) =>
      other.kind === 'StatefulSet' &&
      other.metadata.name !== object.metadata.name &&
      governingServiceOf(other) === governing,
  );
  const sharers = [...others, ...(service ? sharersOf(service, source) : [])];
  return [...new Set(sharers.map(({ kind, metadata }) => `${kind} ${metadata.name}`))];
}

/** Notes that the Services of the clients stay, because the one of the members has the name of the workload. */
function noteClients(source: RelatedObjects): Fields {
  for (const service of servicesOf(source)) {
    if (isHeadless(service)) continue;
    source.note(
      service,
      'metadata.name',
      `is not converted, because the headless Service of the members has the name ${source.name}, which the Service of a load balancer needs; keep it: it says ${shownValue(service['spec'])}`,
    );
    for (const ingress of ingressesTo(service.metadata.name, source))
      source.note(
        ingress,
        'spec',
        `is not converted and routes to Service ${service.metadata.name}; keep both: it says ${shownValue(ingress['spec'])}`,
      );
  }
  return {};
}

/** Notes the effect of a new headless Service on the names of members, and where the old names are. */
function noteNewNames(governing: string, source: RelatedObjects): void {
  const { name, object, note } = source;
  const service = serviceOf(governing, source);
  if (name === object.metadata.name && service && !isHeadless(service))
    return note(
      object,
      'spec.serviceName',
      `${governing} is not headless, so that members had no host names of their own; they are now ${name}-0.${name}-members and so on`,
    );
  const sharers = sharersOfMembers(governing, source);
  const reason = sharers.length === 0 ? '' : `, which ${sharers.join(', ')} also uses: keep that Service for them`;
  const uses = usesOfService(governing, source);
  const remedy = uses.length === 0 ? 'change clients that use them' : `change the old name in ${uses.join(', ')}`;
  note(
    object,
    'spec.serviceName',
    `members are resolved under ${name}-members instead of ${governing}${reason}; their DNS names in the cluster change from ${object.metadata.name}-0.${governing} to ${name}-0.${name}-members; ${remedy}`,
  );
}

/** Returns the ports between members: those of the headless Service. */
function memberPortsOf(source: RelatedObjects): Fields {
  const services = servicesOf(source);
  const headless = membersServicesOf(source)[0];
  if (!headless) return {};
  const takesName = headless.metadata.name === source.name;
  const otherPorts = new Set(
    services
      .filter((object) => !takesName && object !== headless)
      .flatMap((object) => entriesAt(object, 'spec', 'ports').map(({ port }) => port)),
  );
  const ports = entriesAt(headless, 'spec', 'ports').filter(({ port }) => !otherPorts.has(port));
  return {
    ...fieldIfSet(
      'ports',
      ports.map((port) => portOf(port)),
    ),
    ...(valueAt(headless, ['spec', 'publishNotReadyAddresses']) === true && { publishNotReadyAddresses: true }),
  };
}

/** Returns the headless Services of a workload, that of its members first. */
export function membersServicesOf(source: RelatedObjects): readonly NativeObject[] {
  const governing = governingServiceOf(source.object);
  const headless = servicesOf(source).filter(isHeadless);
  const isGoverning = ({ metadata }: NativeObject): boolean => metadata.name === governing;
  return [...headless.filter(isGoverning), ...headless.filter((service) => !isGoverning(service))];
}
