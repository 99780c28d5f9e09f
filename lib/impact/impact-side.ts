import { type Metadata } from '../api';
import { type PlatformContext, type RevisionState, type RuntimeStatus } from '../expand';
import { type LiveChildren } from './child-differences';
import { type SnapshotDefinition } from './cluster-snapshot';
import { type NodeFreeCapacity } from './node-surge';
import { type QuotaUsage } from './quota-surge';

/** Manifest of a workload: as written, or as a cluster stores it. */
export interface ImpactDocument {
  readonly kind: string;
  readonly metadata: Metadata & {
    /** Version of its spec, which only a cluster counts. */
    readonly generation?: number;
    /** Identity of a stored object. */
    readonly uid?: string;
  };
  readonly spec?: unknown;
  /** Status that the controller wrote. @default - not known, so that it has the Platform's profile */
  readonly status?: Readonly<Record<string, unknown>> | undefined;
}

/** One side of a change: a cluster with its workloads. */
export interface ImpactSide {
  /** Name of the side in messages. */
  readonly label: string;
  /** Its Platform, RuntimeProfiles and Projects. */
  readonly cluster: PlatformContext;
  /** Runtime profiles that its Platform has recorded. @default - its own one is the first that it names */
  readonly runtime?: RuntimeStatus;
  /** Revisions that its workloads follow. @default - none are recorded */
  readonly revisions?: RevisionState;
  /** Number of its nodes, each of which has a pod of a daemon. @default - not known */
  readonly nodes?: number;
  /** Nodes that take pods, with their free capacity. @default - not known */
  readonly freeCapacity?: readonly NodeFreeCapacity[];
  readonly workloads: readonly ImpactDocument[];
  /** Projects besides those of the workloads. @default - none */
  readonly projects?: readonly string[];
  /** CustomResourceDefinitions of pinion. @default - not known */
  readonly definitions?: readonly SnapshotDefinition[];
  /** Quotas in force, by project. @default - their usage is not known */
  readonly quotas?: ReadonlyMap<string, readonly QuotaUsage[]>;
  /** Objects with pods of a cluster. @default - expansions are not compared with them */
  readonly children?: LiveChildren;
  /** Time at which the cluster was read, RFC 3339. @default - files are compared */
  readonly time?: string;
  /** What could not be read, one line each. @default - nothing */
  readonly unread?: readonly string[];
}

/** Returns a name of a workload that both sides share. */
export const workloadKeyOf = ({ kind, metadata: { namespace = '', name } }: ImpactDocument): string =>
  `${kind} ${namespace}/${name}`;
