import { type KubernetesObject } from '../../expand';
import { ApiError, isApiError } from '../../kube';

/** Fields with possibly confidential texts: a rejection may quote them, and a status, an Event or a log must not. */
const ownTexts: ReadonlySet<string> = new Set(['value', 'args', 'command', 'data', 'stringData', 'binaryData']);
/** Minimum length of texts to redact; shorter ones keep no secret, and occur in any sentence. */
const shortest = 6;
const hidden = '(not shown)';

/**
 * Redacts contents of variables, arguments and files in an error about an object; returns the same error if it quotes
 * none.
 */
export function withoutContents(error: unknown, object: KubernetesObject): unknown {
  if (!isApiError(error)) return error;
  const texts = [...new Set(textsOf(object, false).flatMap(spellings))].sort((a, b) => b.length - a.length);
  const clean = (message: string): string => texts.reduce((said, text) => said.replaceAll(text, hidden), message);
  if (clean(error.message) === error.message) return error;
  const { causes, ...facts } = error.facts;
  const cleaned = causes?.map((cause) => ({ ...cause, ...(cause.message && { message: clean(cause.message) }) }));
  return new ApiError(error.status, error.reason, clean(error.message), {
    ...facts,
    ...(cleaned && { causes: cleaned }),
  });
}

function textsOf(value: unknown, own: boolean): string[] {
  if (typeof value === 'string') return own && value.length >= shortest ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => textsOf(entry, own));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsOf(member, own || ownTexts.has(key)));
}

/** Returns the spellings of a text: unchanged, quoted, and by line. */
const spellings = (text: string): string[] =>
  [text, JSON.stringify(text).slice(1, -1), ...text.split('\n')].filter(({ length }) => length >= shortest);
