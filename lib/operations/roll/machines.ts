/** A version of a launch template. */
export interface TemplateVersion {
  readonly id: string;
  readonly version: string;
}

/** Content of a launch template version. */
export interface TemplateContent {
  /** Flattened values by name, such as `image` or `instance type`; long values as a digest. */
  readonly fields: Readonly<Record<string, string>>;
  /** Kubernetes version of its image, such as `1.36.3`. @default - unknown */
  readonly kubernetes?: string;
}

/** A machine of a group. */
export interface Machine {
  readonly id: string;
  readonly zone: string;
  /** `pending` until it is in service, `terminating` after its termination was requested. */
  readonly state: 'pending' | 'in-service' | 'terminating';
  /** Milliseconds since 1970. */
  readonly launchedAt: number;
  /** Template version that it was launched from. @default - unknown */
  readonly template?: TemplateVersion;
  /** When a roll selected it for replacement, in milliseconds since 1970. @default - not selected */
  readonly drainingSince?: number;
}

/** Machines of one launch template: a control plane node or a node pool. */
export interface MachineGroup {
  readonly name: string;
  readonly part: 'control-plane' | 'nodes';
  /** Member name of the control plane node, or name of the pool. */
  readonly unit: string;
  /** Current target size. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** Template version of new machines. */
  readonly template: TemplateVersion;
  readonly machines: readonly Machine[];
  /** Size without the surge of a roll. Set while a roll changes the group. @default - no roll in progress */
  readonly desiredCapacity?: number;
}

/** Stable address of a control plane node, independent of its machine. */
export interface ControlPlaneNode {
  readonly member: string;
  readonly address: string;
  /** etcd databases with a member on the node. */
  readonly databases: readonly string[];
}

/**
 * Machines of one cluster in the cloud. The state of a roll is stored here too, so that a roll resumes where it stopped.
 * Every call is idempotent.
 */
export interface Machines {
  groups(): Promise<readonly MachineGroup[]>;
  controlPlaneNodes(): Promise<readonly ControlPlaneNode[]>;
  /** Returns the content of a template version; undefined if it was deleted. */
  template(version: TemplateVersion): Promise<TemplateContent | undefined>;
  /** Marks a machine as draining since a time (milliseconds since 1970), or removes the mark. */
  markDraining(machine: string, since: number | undefined): Promise<void>;
  /** Stores the desired capacity of a group, or deletes it. */
  saveDesiredCapacity(group: string, desiredCapacity: number | undefined): Promise<void>;
  resize(group: string, size: number): Promise<void>;
  /** Terminates a machine; with `shrink`, the group does not replace it. */
  terminate(machine: string, shrink: boolean): Promise<void>;
  /** Returns the error of the last scaling activity of a group; undefined if it succeeded. */
  lastFailure(group: string): Promise<string | undefined>;
}
