import { type PlatformContext } from '../../../expand';
import { type NativeObject } from './native-object';

/** What creates pods in the namespace of a workload, so that they may be its peers. */
export interface PeerWorkload {
  /** Name of its custom resource. */
  readonly name: string;
  /** `CronJob report`. */
  readonly title: string;
  /** Labels of its pods, for each template. */
  readonly podLabels: readonly Readonly<Record<string, string>>[];
  /** Whether it is a workload of pinion, or becomes one. */
  readonly isImported: boolean;
}

/** A native workload and the objects required for its conversion. */
export interface RelatedObjects {
  /** The workload itself. */
  readonly object: NativeObject;
  /** Name of the custom resource. */
  readonly name: string;
  /** Labels of its pods, which selectors match. */
  readonly labels: Readonly<Record<string, string>>;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly relatedObjects: readonly NativeObject[];
  readonly peers: readonly PeerWorkload[];
  /** Service account of its pods, if known. */
  readonly account: NativeObject | undefined;
  readonly cluster: PlatformContext;
  readonly namespace: string;
  /** Adds a note about one of the objects. */
  readonly note: (object: NativeObject, path: string, message: string) => void;
}
