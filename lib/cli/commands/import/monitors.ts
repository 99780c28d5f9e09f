import { valueAt } from '../../../api';
import { selects } from '../../../operations';
import { servicesOf } from './belonging';
import { entriesAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { templatesOf } from './pod-references';
import { type RelatedObjects } from './related-objects';

/** A ServiceMonitor or PodMonitor of a workload. */
export interface Monitor {
  readonly object: NativeObject;
  readonly endpoints: readonly Fields[];
  /** Metrics endpoint of the pods; undefined if its port is not known. */
  readonly metrics: Fields | undefined;
}

/** Returns the monitors of a workload. */
export const monitorsOf = (source: RelatedObjects): readonly Monitor[] =>
  source.relatedObjects.flatMap((object) => monitorOf(object, source) ?? []);

/** Returns an object as a monitor of a workload; undefined if it is none. */
export function monitorOf(object: NativeObject, source: RelatedObjects): Monitor | undefined {
  const selector = valueAt(object, ['spec', 'selector']);
  if (object.kind === 'PodMonitor') {
    if (!selects(selector, source.labels)) return undefined;
    return monitorWith(object, 'podMetricsEndpoints', (endpoint) => containerPort(endpoint['port'], source));
  }
  if (object.kind !== 'ServiceMonitor') return undefined;
  const services = servicesOf(source).filter(({ metadata }) => selects(selector, metadata.labels ?? {}));
  return services.length === 0
    ? undefined
    : monitorWith(object, 'endpoints', (endpoint) => targetPort(endpoint, services, source));
}

function monitorWith(object: NativeObject, field: string, portOf: (endpoint: Fields) => number | undefined): Monitor {
  const endpoints = entriesAt(object, 'spec', field);
  const [first] = endpoints;
  const port = first && portOf(first);
  const path = textAt(first, 'path');
  return {
    object,
    endpoints,
    metrics: port === undefined ? undefined : { port, ...(path !== undefined && path !== '/metrics' && { path }) },
  };
}

/** Returns the container port of a port of a Service. */
function targetPort(endpoint: Fields, services: readonly NativeObject[], source: RelatedObjects): number | undefined {
  if (endpoint['targetPort'] !== undefined) return containerPort(endpoint['targetPort'], source);
  const port = services
    .flatMap((service) => entriesAt(service, 'spec', 'ports'))
    .find(({ name }) => name !== undefined && name === endpoint['port']);
  return port && containerPort(port['targetPort'] ?? port['port'], source);
}

/** Returns the number of a container port, given by number or name. */
function containerPort(port: unknown, { object }: RelatedObjects): number | undefined {
  if (typeof port === 'number') return port;
  const named = templatesOf(object)
    .flatMap((template) => entriesAt(template, 'spec', 'containers'))
    .flatMap((container) => entriesAt(container, 'ports'))
    .find(({ name }) => name === port);
  return typeof named?.['containerPort'] === 'number' ? named['containerPort'] : undefined;
}

/** Returns the metrics endpoint of the first monitor that has one. */
export const metricsOf = (source: RelatedObjects): Fields => {
  const metrics = monitorsOf(source).find((monitor) => monitor.metrics !== undefined)?.metrics;
  return metrics === undefined ? {} : { metrics };
};
