import { type clusterPrograms } from './binaries';
import { type ControlPlane, type ControlPlaneOptions, type ControlPlanePart } from './control-plane';
import { type NodeShape, type SimulatedNodes } from './simulated-nodes';

/** The servers of a cluster that tests may kill, pause and restart. */
export type ClusterPart = ControlPlanePart | 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

/** How a cluster of the tests starts. */
export interface ClusterOptions extends Omit<ControlPlaneOptions, 'paths'> {
  /** Where its programs are. */
  readonly paths: Readonly<Record<(typeof clusterPrograms)[number], string>>;
  /** How many nodes it starts with. @default 3 */
  readonly nodes?: number;
  /** What its first nodes are like. @default - 32 cpu, 256Gi; zones a, b and c in turn */
  readonly nodeShape?: NodeShape | ((index: number) => NodeShape);
  /** More flags of kube-controller-manager; a repeated one wins. @default - none */
  readonly controllerManagerFlags?: readonly string[];
  /** More flags of kube-scheduler; a repeated one wins. @default - none */
  readonly schedulerFlags?: readonly string[];
}

/**
 * A control plane with controllers, a scheduler, a default StorageClass and simulated nodes.
 * How its pods behave is said by annotations: `behaviour`.
 */
export interface Cluster extends ControlPlane<ClusterPart> {
  /** Its simulated nodes. */
  readonly nodes: SimulatedNodes;
  /** Makes a namespace that nobody else uses and returns its name, which begins with the prefix. */
  namespace(prefix?: string, labels?: Readonly<Record<string, string>>): Promise<string>;
}
