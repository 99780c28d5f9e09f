import { metricSamples } from './metric-samples';
import { type ResourceStats, type StatsByResource } from './request-cost';

/** What the API server's metrics report about the cost of requests. */
export interface ServerFigures {
  readonly stats: StatsByResource;
  /** Seats of all priority levels but `exempt`; 0 if the metrics do not report them. */
  readonly seats: number;
}

const [objectsName, bytesName] = ['apiserver_resource_objects', 'apiserver_resource_size_estimate_bytes'];
const seatsName = 'apiserver_flowcontrol_nominal_limit_seats';
const names = new Set([objectsName, bytesName, seatsName]);
/** Size of an object of unknown size, as the API server assumes it. */
const unknownBytes = 1_500_000;

/** Reads the number and size of the stored objects, and the seats, from metrics of an API server (Kubernetes 1.34 or later). */
export function readServerFigures(text: string): ServerFigures {
  const [objects, bytes] = [new Map<string, number>(), new Map<string, number>()];
  let seats = 0;
  for (const { name, labels, value } of metricSamples(text, names)) {
    const { resource = '', group = '', priority_level: level } = labels;
    if (name === seatsName) seats += level === 'exempt' ? 0 : value;
    else if (value >= 0)
      (name === objectsName ? objects : bytes).set(group === '' ? resource : `${resource}.${group}`, value);
  }
  const stats = new Map<string, ResourceStats>();
  for (const [resource, count] of objects) {
    const total = bytes.get(resource) ?? 0;
    stats.set(resource, { objects: count, averageBytes: count === 0 ? 0 : total > 0 ? total / count : unknownBytes });
  }
  return { stats, seats };
}
