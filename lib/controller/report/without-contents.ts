import { type KubernetesObject } from '../../expand';
import { ApiError, isApiError } from '../../client';

/** Fields that may contain confidential text: a rejection may quote them, but a status, an Event or a log must not. */
const contentFields: ReadonlySet<string> = new Set(['value', 'args', 'command', 'data', 'stringData', 'binaryData']);
/** Minimum length of strings to redact; shorter ones are not secrets, and occur in any sentence. */
const minLength = 6;
const redacted = '(not shown)';

/**
 * Redacts contents of variables, arguments and files in an error about an object; returns the same error if it quotes
 * none.
 */
export function withoutContents(error: unknown, object: KubernetesObject): unknown {
  if (!isApiError(error)) return error;
  const texts = [...new Set(textsOf(object, false).flatMap(encodingsOf))].sort((a, b) => b.length - a.length);
  const redact = (message: string): string =>
    texts.reduce((result, text) => result.replaceAll(text, redacted), message);
  if (redact(error.message) === error.message) return error;
  const { causes, ...details } = error.details;
  const redactedCauses = causes?.map((cause) => ({
    ...cause,
    ...(cause.message && { message: redact(cause.message) }),
  }));
  return new ApiError(error.status, error.reason, redact(error.message), {
    ...details,
    ...(redactedCauses && { causes: redactedCauses }),
  });
}

function textsOf(value: unknown, isContent: boolean): string[] {
  if (typeof value === 'string') return isContent && value.length >= minLength ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => textsOf(entry, isContent));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsOf(member, isContent || contentFields.has(key)));
}

/** Returns the forms in which a message may quote a string: unchanged, escaped, and by line. */
const encodingsOf = (text: string): string[] =>
  [text, JSON.stringify(text).slice(1, -1), ...text.split('\n')].filter(({ length }) => length >= minLength);
