import { request } from 'node:http';
import { entriesAt, textAt } from '../../../api';
import {
  type Clock,
  type KubeClient,
  type LiveObject,
  type SharedInformer,
  SharedInformerFactory,
} from '../../../kube';

/** Service of the gateways, and the port on which each of them serves its metrics. */
export interface GatewayService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** What gateways are found with. */
export interface GatewayEndpointsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly service: GatewayService;
  readonly onError: (error: unknown) => void;
}

/** Limits of a response with metrics. */
const limits = { milliseconds: 10_000, bytes: 32 * 1024 * 1024 };

const endpointSlices = {
  ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', plural: 'endpointslices' },
  namespaced: true,
} as const;

/** The gateways of a Service, each by its own address: that of the Service reaches another one each time. */
export class GatewayEndpoints {
  private readonly factory: SharedInformerFactory;
  private readonly slices: SharedInformer<readonly string[]>;

  constructor(private readonly options: GatewayEndpointsOptions) {
    const { client, clock, service, onError } = options;
    this.factory = new SharedInformerFactory({ client, clock, onError });
    this.slices = this.factory.informer({
      resource: endpointSlices,
      selection: { namespace: service.namespace, labelSelector: `kubernetes.io/service-name=${service.name}` },
      transform: addressesOf,
    });
  }

  /** Begins to look for gateways. */
  start(): void {
    this.factory.start();
  }

  /** Stops to look for gateways. */
  stop(): Promise<void> {
    return this.factory.stop();
  }

  /** Returns functions that read the metrics of each gateway that is known now, ready or not. */
  readers(): readonly (() => Promise<string>)[] {
    const addresses = new Set(this.slices.store.list().flat());
    return [...addresses].map((host) => () => fetchMetrics(host, this.options.service.port));
  }
}

const addressesOf = (slice: LiveObject): readonly string[] =>
  // All addresses of an endpoint are those of one gateway.
  entriesAt(slice, 'endpoints').flatMap((endpoint) => textAt(endpoint, 'addresses', 0) ?? []);

function fetchMetrics(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      reject(new Error(`${host}:${port} ${reason}`));
      outgoing.destroy();
    };
    const signal = AbortSignal.timeout(limits.milliseconds);
    const outgoing = request({ host, port, path: '/metrics', agent: false, signal }, (response) => {
      if (response.statusCode !== 200) return fail(`responded with status ${response.statusCode}`);
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.bytes) fail(`responded with more than ${limits.bytes} bytes`);
        else chunks.push(chunk);
      });
      response.on('error', (error) => fail(`was interrupted: ${error.message}`));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      return undefined;
    });
    outgoing.on('error', (error) => fail(`cannot be read: ${error.message}`));
    outgoing.end();
  });
}
