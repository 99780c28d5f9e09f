import { type CustomResourceDefinition } from '../definition';
import { readChanges, tryObject, writeAttempts, type ObjectTrial, type StoredObject } from './try-object';

/** A write that an API server rejects. */
export interface ServerRejection {
  readonly step: string;
  /** Field that the write changes; absent if it changes nothing. */
  readonly field?: string | undefined;
  /** Field that the server names. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Returns the trial of an object by the answers of an API server to the writes of `writeAttempts`.
 *
 * A rejection of the tried value alone does not count: the stored one is valid.
 */
export function trialOnServer(
  stored: StoredObject,
  read: StoredObject,
  rejections: readonly ServerRejection[],
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): ObjectTrial {
  const offline = tryObject(stored, before, after);
  const attempts = writeAttempts(stored, before, after);
  const rejected = rejections.filter(({ step, field }) => {
    const isSame = (one: { readonly step: string; readonly field?: string }): boolean =>
      one.step === step && one.field === field;
    const isPredicted = attempts.some(
      ({ write, errors }) => isSame(write) && errors.some(({ isUnknown }) => isUnknown !== true),
    );
    return !isPredicted || offline?.rejected.some(isSame) === true;
  });
  return {
    object: offline?.object ?? '',
    version: offline?.version ?? '',
    ...readChanges(stored, read),
    rejected: rejected.map(({ step, field, path, reason }) => ({
      step: step as ObjectTrial['rejected'][number]['step'],
      ...(field !== undefined && { field }),
      path,
      reason,
    })),
    unknown: [],
  };
}
