import { type FindingClass } from '../definition-finding';

/** A change of a schema, before it is known of which version. */
export interface SchemaChange {
  readonly path: string;
  readonly class: FindingClass;
  readonly change: string;
  readonly reason: string;
  readonly remedy: string;
}

/** Receives the changes of a schema. */
export type ReportChange = (change: SchemaChange) => void;

/** Remedy of a limit that stored values may violate. */
export const keepValid =
  'apply it to new values only, in the controller or an admission policy that warns, until all objects comply';
