/** Named code path. */
export interface CodePath {
  /** Short name, such as `garbage collection`. */
  readonly description: string;
  /** A sample belongs to it if each pattern matches a function of its stack. */
  readonly patterns: readonly RegExp[];
}

/** Creates a code path from patterns that must all match. */
export const path = (description: string, ...patterns: readonly RegExp[]): CodePath => ({ description, patterns });
