import { type PlatformContext } from '../../../expand';
import { type NativeObject } from './native-object';

/** What lies around a native workload, and what converting it needs. */
export interface RelatedObjects {
  /** The workload itself. */
  readonly object: NativeObject;
  /** Name of the custom resource. */
  readonly name: string;
  /** Labels of its pods, by which others find them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly around: readonly NativeObject[];
  readonly cluster: PlatformContext;
  /** Takes a note about one of them. */
  readonly note: (object: NativeObject, path: string, message: string) => void;
}
