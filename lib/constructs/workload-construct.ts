import { type Construct } from 'constructs';
import { metadataKeys, type Problem, type Workload, type WorkloadKind } from '../api';
import { safeExpand, needsController, type KubernetesObject } from '../expand';
import { ResourceConstruct, type DocumentProps } from './resource-construct';
import { AppContext } from './app-context';

/** Props that the constructs of all workload kinds accept in addition to the fields of their kind. */
export interface WorkloadProps extends DocumentProps {
  /** Project of the workload; the namespace of all its objects. */
  readonly project: string;
}

/** Workload in the tree of an app. */
export abstract class WorkloadConstruct<K extends WorkloadKind = WorkloadKind> extends ResourceConstruct<K> {
  protected constructor(scope: Construct, id: string, kind: K, props: WorkloadProps) {
    super(scope, id, kind, props);
    this.addObjects();
  }

  protected override expandManifest(
    document: Workload<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined {
    const workload = document as Workload;
    const context = AppContext.of(this).project(workload.metadata.namespace);
    if (this.emit === 'native') needsController(workload, context).forEach(report);
    if (!context) return undefined;
    const { objects, problems } = safeExpand(workload, context);
    problems.forEach(report);
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

const noService: Problem = {
  code: 'unknown-reference',
  path: ['spec', 'ports'],
  reason: 'is missing, so the workload has no Service to route to',
  remedy: 'set ports or loadBalancer',
};
