import { isDeepStrictEqual } from 'node:util';
import { type LiveObject } from '../kube';

/** Filter of events: an event whose function returns false queues nothing. Events without a function pass. */
export interface Predicate {
  create?(object: LiveObject): boolean;
  update?(before: LiveObject, after: LiveObject): boolean;
  delete?(last: LiveObject): boolean;
}

/**
 * Ignores updates that leave `metadata.generation` as it is, such as those of a status. The generation of most built-in
 * kinds other than workloads never changes: use it for custom resources.
 */
export const generationChanged: Predicate = {
  update: (before, after) => before.metadata.generation !== after.metadata.generation,
};

/** Ignores updates that leave the labels as they are. */
export const labelsChanged: Predicate = {
  update: (before, after) => !isDeepStrictEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {}),
};

/** Ignores updates that leave the annotations as they are. */
export const annotationsChanged: Predicate = {
  update: (before, after) => !isDeepStrictEqual(before.metadata.annotations ?? {}, after.metadata.annotations ?? {}),
};

/** Returns a predicate for the objects of all events; of an update, the new state. */
export const matching = (filter: (object: LiveObject) => boolean): Predicate => ({
  create: filter,
  update: (_, after) => filter(after),
  delete: filter,
});

/** Returns a predicate that passes what all predicates pass. */
export const allOf = (...predicates: readonly Predicate[]): Predicate => ({
  create: (object) => predicates.every((each) => each.create?.(object) ?? true),
  update: (before, after) => predicates.every((each) => each.update?.(before, after) ?? true),
  delete: (last) => predicates.every((each) => each.delete?.(last) ?? true),
});

/** Returns a predicate that passes what at least one predicate passes. */
export const anyOf = (...predicates: readonly Predicate[]): Predicate => ({
  create: (object) => predicates.some((each) => each.create?.(object) ?? true),
  update: (before, after) => predicates.some((each) => each.update?.(before, after) ?? true),
  delete: (last) => predicates.some((each) => each.delete?.(last) ?? true),
});
