/** A field that could not be converted, or a change in behavior. */
export interface Note {
  /** Field of the native object, such as `Deployment cart: spec.template.spec.hostname`. */
  readonly subject: string;
  readonly message: string;
}

/** Adds a note about a field of the workload itself. */
export type AddNote = (path: string, message: string) => void;
