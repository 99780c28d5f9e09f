import { type PlatformContext } from '../../../expand';
import { type NativeObject } from './native-object';

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
  /** Service account of its pods, if known. */
  readonly account: NativeObject | undefined;
  readonly cluster: PlatformContext;
  /** Adds a note about one of the objects. */
  readonly note: (object: NativeObject, path: string, message: string) => void;
}
