/** A code path that has a name. */
export interface CodePath {
  /** What the program does there, in words. */
  readonly words: string;
  /** A sample is of it where each of these matches a function of its stack. */
  readonly all: readonly RegExp[];
}

/** Names what stacks have in which each pattern matches a function. */
export const path = (words: string, ...all: readonly RegExp[]): CodePath => ({ words, all });
