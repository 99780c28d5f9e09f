import { type PlatformContext } from '../../../expand';
import { type NativeObject } from './native-object';

/** A native workload with the objects that its conversion needs. */
export interface RelatedObjects {
  /** The workload itself. */
  readonly object: NativeObject;
  /** Name of the custom resource. */
  readonly name: string;
  /** Labels of its pods, which selectors match. */
  readonly labels: Readonly<Record<string, string>>;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly around: readonly NativeObject[];
  readonly cluster: PlatformContext;
  /** Adds a note about one of the objects. */
  readonly note: (object: NativeObject, path: string, message: string) => void;
}
