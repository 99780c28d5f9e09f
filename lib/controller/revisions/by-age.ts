import { type LiveObject } from '../../client';

/** Returns objects with the oldest first. */
export const byAge = (objects: readonly LiveObject[]): readonly LiveObject[] =>
  [...objects].sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
