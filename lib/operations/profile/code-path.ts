/** Named code path. */
export interface CodePath {
  /** Description of the code path. */
  readonly words: string;
  /** A sample belongs to it if each pattern matches a function of its stack. */
  readonly all: readonly RegExp[];
}

/** Creates a code path from patterns that must all match. */
export const path = (words: string, ...all: readonly RegExp[]): CodePath => ({ words, all });
