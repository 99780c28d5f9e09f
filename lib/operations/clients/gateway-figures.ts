import { serviceAccountUser } from '../../kube';
import { type ClientSums, zeroSums } from './client-counts';
import { type MetricSample, metricSamples } from './metric-samples';

/** Requests of one client to a gateway with one verb to one resource. */
export interface GatewayFigures {
  readonly account: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly resource: string;
  /** Who answered: `cache`, `merged`, `proxied` or `none`. */
  readonly servedFrom: string;
  requests: number;
  readonly sums: ClientSums;
}

const metric = {
  requests: 'pinion_gateway_requests_total',
  bytes: 'pinion_gateway_response_bytes_total',
  seconds: 'pinion_gateway_request_seconds_total',
  watches: 'pinion_gateway_open_watches',
} as const;
const names: ReadonlySet<string> = new Set(Object.values(metric));

/** Reads the requests of each client from the metrics of a gateway. */
export function readGatewayFigures(text: string): readonly GatewayFigures[] {
  const figures = new Map<string, GatewayFigures>();
  for (const sample of metricSamples(text, names)) {
    const found = newFigures(sample);
    const key = [found.account, found.userAgent, found.verb, found.resource, found.servedFrom].join('\u0000');
    const target = figures.get(key) ?? found;
    figures.set(key, target);
    addSample(target, sample);
  }
  return [...figures.values()];
}

function newFigures({ name, labels }: MetricSample): GatewayFigures {
  const {
    project = '',
    account = '',
    user_agent: userAgent = '',
    resource = '',
    served_from: servedFrom = '',
  } = labels;
  const verb = name === metric.watches ? 'watch' : (labels['verb'] ?? '');
  return {
    account: project === '' ? account || '(unknown)' : serviceAccountUser({ namespace: project, name: account }),
    userAgent,
    verb,
    resource,
    servedFrom,
    requests: 0,
    sums: zeroSums(),
  };
}

function addSample(figures: GatewayFigures, { name, labels, value }: MetricSample): void {
  const { sums, verb } = figures;
  if (name === metric.requests) {
    figures.requests += value;
    if (verb === 'watch') sums.watches += value;
    if (Number(labels['code']) >= 400) sums.errors += value;
    if (figures.servedFrom === 'cache') sums.cached += value;
  } else if (name === metric.bytes) {
    sums.bytes += value;
  } else if (name === metric.seconds) {
    sums.seconds += value;
  } else {
    // A watch counts as a request when it ends.
    figures.requests += value;
    sums.watches += value;
    if (figures.servedFrom === 'cache') sums.cached += value;
  }
}
