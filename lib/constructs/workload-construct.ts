import { type Construct } from 'constructs';
import { metadataKeys, type Problem, type Workload, type WorkloadKind } from '../api';
import {
  endpointsOf,
  expandUnchecked,
  safeExpand,
  needsController,
  type AddedPeers,
  type Endpoints,
  type KubernetesObject,
} from '../expand';
import { objectOf, ResourceConstruct, type DocumentProps } from './resource-construct';
import { SharedConfig } from './shared-config';
import { AppContext } from './app-context';
import { WorkloadConnections, nodePeerProblem } from './workload-connections';
import { findPort, isProblem } from './find-port';

/** Props that the constructs of all workload kinds accept in addition to the fields of their kind. */
export interface WorkloadProps extends DocumentProps {
  /** Project of the workload; the namespace of all its objects. */
  readonly project: string;
}

/** Options of a connection to another workload. */
export interface ConnectionOptions {
  /** Variables of all containers of the app for the connection, such as `{ CART_URL: cart.url('http') }`. @default none */
  readonly env?: Readonly<Record<string, string>>;
}

const useResource = "use emit: 'resource' where the controller runs";

/** Workload in the tree of an app. */
export abstract class WorkloadConstruct<K extends WorkloadKind = WorkloadKind> extends ResourceConstruct<K> {
  private readonly connections = new WorkloadConnections(this.input);
  private readEndpoints: { readonly of: readonly KubernetesObject[]; readonly endpoints: Endpoints } | undefined;

  protected constructor(scope: Construct, id: string, kind: K, props: WorkloadProps) {
    super(scope, id, kind, props);
    this.addObjects();
    for (const resource of this.usedResources)
      if (resource instanceof SharedConfig && resource.project !== props.project)
        this.report([configElsewhere(resource, props.project)]);
  }

  /**
   * Allows its pods to connect to a port of another workload, and sets variables for it.
   *
   * Adds this workload to `access.from` of the other one, and the other one to its own `access.to`, where these or the
   * Platform restrict traffic; nothing is restricted that was open. Either workload can be created first, in any chart.
   * `port` is the name of a port of its Service or of a container. Defaults to the only port.
   */
  connectTo(
    target: WorkloadConstruct & { readonly host: string },
    port?: string,
    options: ConnectionOptions = {},
  ): void {
    const callee: WorkloadConstruct = target;
    const found = callee.endpoints && findPort(callee.endpoints.ports, port);
    if (found && isProblem(found)) callee.report([found]);
    if (!found || isProblem(found) || !this.endpoints) return;
    const ports = [found.pod];
    const { env = {} } = options;
    if (this.isReference && Object.keys(env).length > 0) this.report([variablesElsewhere]);
    this.report(this.connections.setVariables(env));
    this.allow('to', callee, ports);
    callee.allow('from', this, ports);
  }

  /** Allows connections from or to another workload. */
  private allow(direction: keyof AddedPeers, other: WorkloadConstruct, ports: readonly number[]): void {
    const { project } = this.identity;
    const context = AppContext.of(this).project(project);
    if (!context) return;
    // Network policies do not apply to pods in the network of their nodes.
    if (this.endpoints?.hostNetwork !== true) {
      const { access } = this.input.spec as { readonly access?: unknown };
      if (other.endpoints?.hostNetwork === true)
        this.report(nodePeerProblem(direction, access, objectOf(other.input), context));
      else this.connections.add(direction, { ...other.identity, ports });
    }
    const manifest = this.connections.manifest(context);
    if (manifest !== this.input) this.changeManifest(manifest);
  }

  /** Project and name, by which other workloads list it as a peer. */
  private get identity(): { readonly project: string; readonly workload: string } {
    return { project: this.input.metadata.namespace ?? '', workload: this.input.metadata.name };
  }

  /** How others reach its pods; undefined if it has errors. */
  protected get endpoints(): Endpoints | undefined {
    const { expanded } = this;
    if (!expanded) return undefined;
    if (this.readEndpoints?.of !== expanded) {
      const { project, workload } = this.identity;
      this.readEndpoints = { of: expanded, endpoints: endpointsOf({ name: workload, namespace: project }, expanded) };
    }
    return this.readEndpoints?.endpoints;
  }

  protected override expandManifest(
    document: Workload<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined {
    const workload = document as Workload;
    const context = AppContext.of(this).project(workload.metadata.namespace);
    if (this.isReference) return context && expandUnchecked(workload, context);
    if (this.emit === 'native') needsController(workload, context, useResource).forEach(report);
    if (!context) return undefined;
    const { objects, problems } = safeExpand(workload, context);
    problems.forEach(report);
    if (objects) AppContext.of(this).addWorkload(this, workload, objects, context);
    return objects;
  }

  /** Returns the labels of its pods for cdk8s-plus; called if you pass the workload to a NetworkPolicy or to `separate`. */
  toPodSelectorConfig<Selector = PodLabels>(): PodSelection<Selector> {
    const { kind, metadata } = this.input;
    const name = this.expanded?.[0]?.metadata.labels?.[metadataKeys.workload] ?? metadata.name;
    const matchLabels = { [metadataKeys.kind]: kind, [metadataKeys.workload]: name };
    const labels: PodLabels = { isEmpty: () => false, _toKube: () => ({ matchLabels }) };
    return { labelSelector: labels as Selector, namespaces: { names: [metadata.namespace ?? ''] } };
  }

  /** Returns its pods as a peer of cdk8s-plus' NetworkPolicy. */
  toNetworkPolicyPeerConfig<Selector = PodLabels>(): { readonly podSelector: PodSelection<Selector> } {
    return { podSelector: this.toPodSelectorConfig<Selector>() };
  }

  /** Returns itself: its pods can be selected. */
  toPodSelector(): this {
    return this;
  }

  /**
   * Returns its Service as a backend of cdk8s-plus' Ingress: `cart.toIngressBackend(kplus.IngressBackend)`.
   *
   * `port` is required if the Service has several. A workload without a Service reports a problem.
   */
  toIngressBackend<Service, Backend>(
    backends: BackendFactory<Service, Backend>,
    options: { readonly port?: number } = {},
  ): Backend {
    const service = this.expanded?.find(
      ({ kind, spec }) => kind === 'Service' && (spec as ServiceSpec).clusterIP !== 'None',
    );
    if (this.expanded && !service) this.report([noService]);
    const ports = service ? (service['spec'] as ServiceSpec).ports : [{ port: options.port ?? 80 }];
    const name = service?.metadata.name ?? this.input.metadata.name;
    return backends.fromService({ name, ports } as Service, options);
  }
}

/** Labels of pods in the format of cdk8s-plus. */
export interface PodLabels {
  isEmpty(): boolean;
  _toKube(): { readonly matchLabels: Readonly<Record<string, string>> };
}

/**
 * Pods of one namespace, by their labels. The caller chooses the type of the labels, because cdk8s-plus' class has
 * private members.
 */
export interface PodSelection<Selector> {
  readonly labelSelector: Selector;
  readonly namespaces: { readonly names: string[] };
}

/** Factory of backends of a Service: cdk8s-plus' `IngressBackend`. */
export interface BackendFactory<Service, Backend> {
  fromService(service: Service, options?: { readonly port?: number }): Backend;
}

interface ServiceSpec {
  readonly clusterIP?: string;
  readonly ports: readonly { readonly port: number }[];
}

const configElsewhere = ({ name, project }: SharedConfig, value: string): Problem => ({
  code: 'unknown-reference',
  path: ['metadata', 'namespace'],
  value,
  reason: `cannot use the SharedConfig ${name} of the project ${project}; pods read only ConfigMaps of their own project`,
  remedy: `create a SharedConfig with project: "${value}"`,
});

const variablesElsewhere: Problem = {
  code: 'invalid-combination',
  path: ['spec', 'config', 'env'],
  reason: 'belongs to another app, which this one cannot change',
  remedy: 'set the variables there',
};

const noService: Problem = {
  code: 'unknown-reference',
  path: ['spec', 'ports'],
  reason: 'is missing, so the workload has no Service to route to',
  remedy: 'set ports or loadBalancer',
};
