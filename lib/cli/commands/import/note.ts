/** Something that could not be carried over, or that changes by it. */
export interface Note {
  /** Field of the native object, such as `Deployment cart: spec.template.spec.hostname`. */
  readonly about: string;
  readonly message: string;
}

/** Takes a note about a field of the workload's own. */
export type AddNote = (path: string, message: string) => void;
