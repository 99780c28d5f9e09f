/** One version of what machines are started from. */
export interface TemplateVersion {
  readonly id: string;
  readonly version: string;
}

/** What one version of a template says. */
export interface TemplateContent {
  /** Values by name, flat, such as `image` or `instance type`; long ones as a digest. */
  readonly fields: Readonly<Record<string, string>>;
  /** Kubernetes that its image holds, such as `1.36.3`; absent where the template does not say. */
  readonly kubernetes?: string;
}

/** One machine of a group. */
export interface Machine {
  readonly id: string;
  readonly zone: string;
  /** `coming` until it is in service, `going` once its end was asked for. */
  readonly state: 'coming' | 'in-service' | 'going';
  /** Milliseconds since 1970. */
  readonly launched: number;
  /** Absent where it was not started from a template, or nobody knows which. */
  readonly template?: TemplateVersion;
  /** When a roll chose it to leave, in milliseconds since 1970; absent where none did. */
  readonly leavingSince?: number;
}

/** Machines that are made from one template: one master, or one pool of nodes. */
export interface MachineGroup {
  readonly name: string;
  readonly part: 'master' | 'nodes';
  /** The master's member, or the name of the pool. */
  readonly unit: string;
  /** How many machines there should be now. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** What a new machine is started from. */
  readonly template: TemplateVersion;
  readonly machines: readonly Machine[];
  /** How many machines the group has apart from those that are leaving; kept while a roll is at work on it. */
  readonly base?: number;
}

/** Where a master is met, whatever machine it is on. */
export interface MasterPlace {
  readonly member: string;
  readonly address: string;
  /** Databases that have a member there. */
  readonly databases: readonly string[];
}

/**
 * Machines of one cluster, as the cloud has them. What a roll must remember is kept here too, beside the machines, so
 * that it goes on where it stopped. Every call may be repeated without harm.
 */
export interface Machines {
  groups(): Promise<readonly MachineGroup[]>;
  masters(): Promise<readonly MasterPlace[]>;
  /** Undefined where the version is gone. */
  template(version: TemplateVersion): Promise<TemplateContent | undefined>;
  /** Marks a machine as leaving since a moment (milliseconds since 1970), or takes the mark back. */
  markLeaving(machine: string, since: number | undefined): Promise<void>;
  /** Keeps the base of a group, or forgets it. */
  keepBase(group: string, base: number | undefined): Promise<void>;
  resize(group: string, size: number): Promise<void>;
  /** Ends a machine; with `shrink`, the group does not replace it. */
  terminate(machine: string, shrink: boolean): Promise<void>;
  /** Why the group's last attempt to change its machines failed; undefined where it did not. */
  lastFailure(group: string): Promise<string | undefined>;
}
