import { type Problem, type WorkloadKind } from '../api';
import { type EndpointPort } from '../expand';
import { findPort, isProblem } from './find-port';
import { unresolvedHost, unresolvedPort } from './unresolved';
import { WorkloadConstruct } from './workload-construct';

/** Options of a URL. */
export interface UrlOptions {
  /** @default - that of the port's protocol: http or https */
  readonly scheme?: string;
  /** Path, with its first slash. @default none */
  readonly path?: string;
}

/** Workload with a Service, to which others connect by its host name and the names of its ports. */
export abstract class ServingConstruct<K extends WorkloadKind = WorkloadKind> extends WorkloadConstruct<K> {
  /** DNS name of its Service, such as `cart.shop.svc`; it works in all projects. */
  get host(): string {
    if (this.endpoints && this.endpoints.host === undefined) this.report([this.noService()]);
    return this.endpoints?.host ?? unresolvedHost;
  }

  /**
   * Returns `host:port` of its Service.
   *
   * `port` is the name of a port of its Service or of a container. Defaults to the only port.
   */
  address(port?: string): string {
    return `${this.host}:${this.servicePort(port)?.service ?? unresolvedPort}`;
  }

  /**
   * Returns the URL of its Service, such as `http://cart.shop.svc:8080`.
   *
   * `port` is the name of a port of its Service or of a container. Defaults to the only port. A port without an HTTP
   * protocol needs a `scheme`.
   */
  url(port?: string, { scheme, path = '' }: UrlOptions = {}): string {
    const found = this.servicePort(port);
    const usedScheme = scheme ?? found?.scheme;
    if (found && usedScheme === undefined) this.report([noScheme(found.names[0] ?? '')]);
    return `${usedScheme ?? 'http'}://${this.host}:${found?.service ?? unresolvedPort}${path}`;
  }

  /** Returns a port of its Service; reports a problem if there is none. */
  private servicePort(name: string | undefined): EndpointPort | undefined {
    if (this.endpoints?.host === undefined) return undefined;
    return this.portAmong(
      this.endpoints.ports.filter(({ service }) => service !== undefined),
      name,
    );
  }

  /** Returns a port of its pods; reports a problem if there is none. */
  protected portAmong(
    ports: readonly EndpointPort[],
    name: string | undefined,
    naming?: string,
  ): EndpointPort | undefined {
    const found = findPort(ports, name, naming);
    if (!isProblem(found)) return found;
    this.report([found]);
    return undefined;
  }

  private noService(): Problem {
    const hasMembers = this.endpoints?.membersHost !== undefined;
    return {
      code: 'unknown-reference',
      path: ['spec', hasMembers ? 'loadBalancer' : 'ports'],
      reason: 'is missing, so the workload has no Service to connect to',
      remedy: hasMembers ? 'set loadBalancer, or connect to its members' : 'set ports or loadBalancer',
    };
  }
}

const noScheme = (port: string): Problem => ({
  code: 'invalid-combination',
  path: ['spec', 'ports'],
  value: port,
  reason: 'has a protocol without a URL scheme',
  remedy: `use address("${port}"), or pass the scheme, such as url("${port}", { scheme: "redis" })`,
});
