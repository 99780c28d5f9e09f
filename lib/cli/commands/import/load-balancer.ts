import { isHeadless, servicesOf } from './belonging';
import { sharersOf } from './connected-objects';
import { ingressFieldsOf } from './ingress';
import { entriesAt, fieldIfSet, textAt, type Fields } from './fields';
import { type RelatedObjects } from './related-objects';
import { portOf } from './service-port';
import { shownValue } from './shown-value';

/** Converts the Services and Ingresses of a workload. */
export function loadBalancerOf(source: RelatedObjects): Fields {
  const services = servicesOf(source).filter((service) => !isHeadless(service));
  const service = services.find(({ metadata }) => metadata.name === source.name) ?? services[0];
  if (!service) return {};
  for (const other of services)
    if (other !== service)
      source.note(
        other,
        'metadata.name',
        `a second Service of the workload is not imported; keep it for its clients, or add its ports to those of ${source.name}: it says ${shownValue(other['spec'])}`,
      );
  if (service.metadata.name !== source.name)
    source.note(
      service,
      'metadata.name',
      `the new Service is named ${source.name}; clients of ${service.metadata.name} use the old one until you delete it`,
    );
  const sharers = sharersOf(service, source);
  if (sharers.length > 0)
    source.note(
      service,
      'spec.selector',
      `also selects the pods of ${sharers.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(', ')}; the new Service ${source.name} selects only those of ${source.name}; keep a Service under another name for all of them`,
    );
  const type = textAt(service, 'spec', 'type') ?? 'ClusterIP';
  if (type !== 'ClusterIP')
    source.note(
      service,
      'spec.type',
      `${type} is replaced by ClusterIP; set loadBalancer.exposure to Internal or External for clients outside the cluster`,
    );
  const ingress = ingressFieldsOf(service, source);
  const isRouted = ({ port }: Fields): boolean => ingress.ports.includes(Number(port));
  const nativePorts = entriesAt(service, 'spec', 'ports');
  // An Ingress routes to the first port with an HTTP protocol.
  const ports = [...nativePorts.filter(isRouted), ...nativePorts.filter((port) => !isRouted(port))].map((port) =>
    portOf(port, isRouted(port) ? ingress.protocol : undefined),
  );
  const sticky = textAt(service, 'spec', 'sessionAffinity') === 'ClientIP' || ingress.sticky;
  return fieldIfSet('loadBalancer', { ...shortForm(ports), ...ingress.fields, ...(sticky && { stickiness: true }) });
}

/** Returns the short form of a single port that is named after its protocol, otherwise the list of ports. */
function shortForm(ports: readonly Fields[]): Fields {
  const [only] = ports;
  if (ports.length !== 1 || !only || only['name'] !== String(only['protocol']).toLowerCase()) return { ports };
  const { port, targetPort, protocol } = only;
  return { port, ...(targetPort !== undefined && { targetPort }), ...(protocol !== 'HTTP' && { protocol }) };
}
