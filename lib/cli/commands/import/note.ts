/** A field that could not be converted, or a change in behavior. */
export interface Note {
  /** Field of the native object, such as `Deployment cart: spec.template.spec.hostname`. */
  readonly subject: string;
  readonly message: string;
  /** Part of the message that is the same for other workloads. @default - none */
  readonly common?: string;
}

/** Adds a note about a field of the workload itself; `common` is the part of the message that is the same for other workloads. */
export type AddNote = (path: string, message: string, common?: string) => void;
