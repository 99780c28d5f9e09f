import { type clusterPrograms } from './binaries';
import { type ControlPlane, type ControlPlaneOptions, type ControlPlaneComponent } from './control-plane';
import { type NodeShape, type SimulatedNodes } from './simulated-nodes';

/** The servers of a cluster that tests may kill, pause and restart. */
export type ClusterComponent = ControlPlaneComponent | 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

/** Options of a cluster of the tests. */
export interface ClusterOptions extends Omit<ControlPlaneOptions, 'paths'> {
  /** Paths of its programs. */
  readonly paths: Readonly<Record<(typeof clusterPrograms)[number], string>>;
  /** Number of initial nodes. @default 3 */
  readonly nodes?: number;
  /** Shape of the initial nodes. @default - 32 cpu, 256Gi; zones a, b and c in turn */
  readonly nodeShape?: NodeShape | ((index: number) => NodeShape);
  /** More flags of kube-controller-manager; a repeated flag overrides. @default - none */
  readonly controllerManagerFlags?: readonly string[];
  /** Whether kube-controller-manager checks the types of admission policies, which takes much CPU time. @default false */
  readonly checksPolicyTypes?: boolean;
  /** More flags of kube-scheduler; a repeated flag overrides. @default - none */
  readonly schedulerFlags?: readonly string[];
}

/**
 * A control plane with controllers, a scheduler, a default StorageClass and simulated nodes.
 * Annotations control the behavior of its pods: see `podBehavior`.
 */
export interface Cluster extends ControlPlane<ClusterComponent> {
  /** Simulated nodes. */
  readonly nodes: SimulatedNodes;
  /** Creates a namespace and returns its name, which starts with the prefix. */
  namespace(prefix?: string, labels?: Readonly<Record<string, string>>): Promise<string>;
}
