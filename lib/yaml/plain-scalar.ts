const words = ['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'];
/**
 * Words that some YAML reader interprets as a boolean, null, the default value or a merge; all have at most five
 * letters.
 */
const reservedWords: ReadonlySet<string> = new Set([
  '~',
  '=',
  '<<',
  ...words.flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]),
]);

const decimal = String.raw`[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?`;
const based = '0[bB][01_]+|0[oO]?[0-7_]+|0[xX][0-9a-fA-F_]+';
const point = String.raw`\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF)`;
// The reader of cdk8s interprets a point or an exponent without digits as a number.
const bare = String.raw`\.[0-9_]*|(?:\.[0-9_]*)?[eE][-+]?[0-9]+`;
const number = new RegExp(String.raw`^(?:[-+]?(?:${based}|${decimal}|${point}|${bare})|\.(?:nan|NaN|NAN))$`);
const date = /^\d{4}-\d\d?-\d\d?(?:[Tt ].*)?$/;

/** Returns whether a YAML 1.1 or 1.2 reader may interpret a string as a number or a date. */
function looksNumeric(text: string): boolean {
  if (!/^[-+.0-9eE]/.test(text)) return false;
  // kubectl's reader drops underscores first.
  return number.test(text) || date.test(text) || (text.includes('_') && number.test(text.replaceAll('_', '')));
}

/** Characters that must be escaped: controls, other line breaks, byte order marks, lone surrogates. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;
const unprintableInBlock = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;
const startsAsSyntax = /^(?:[,[\]{}#&*!|>'"%@` ]|[-?:](?: |$)|---|\.\.\.)/;
const containsSyntax = /: | #|[: ]$/;

/** Returns whether every YAML 1.1 and 1.2 reader reads the unquoted text as the same string. */
function isPlain(text: string): boolean {
  if (text === '' || reservedWords.has(text) || looksNumeric(text)) return false;
  return !startsAsSyntax.test(text) && !containsSyntax.test(text) && !unprintable.test(text);
}

function escapeUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Writes a quoted string: in single quotes if that saves escapes, otherwise in double quotes. */
function quote(text: string): string {
  if (/["\\]/.test(text) && !unprintable.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escapeUnit);
}

// 1: letters; 2: characters that may follow the first letter of a plain scalar anywhere.
const charClass = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') charClass[char.charCodeAt(0)] = 1;
for (const char of '0123456789-_./=@$()+,;!%&*') charClass[char.charCodeAt(0)] = 2;

/**
 * Returns whether a string is certainly plain: longer than a reserved word, starts with a letter, no syntax characters.
 */
function isObviouslyPlain(text: string): boolean {
  const { length } = text;
  if (length < 6 || charClass[text.charCodeAt(0)] !== 1 || /^[eE][-+0-9]/.test(text)) return false;
  for (let at = 1; at < length; at++) {
    // The table only covers ASCII.
    if (!charClass[text.charCodeAt(at)]) return false;
  }
  return true;
}

/** Maximum number of cached decisions, after which the cache is cleared; strings over 256 characters are not cached. */
const cacheLimit = 20_000;
const scalarCache = new Map<string, string>();

/**
 * Writes a string as a YAML scalar on one line, quoted if some YAML 1.1 or 1.2 reader would otherwise not read the same
 * string.
 */
export function writeInline(text: string): string {
  if (isObviouslyPlain(text)) return text;
  if (text.length > 256) return isPlain(text) ? text : quote(text);
  let scalar = scalarCache.get(text);
  if (scalar === undefined) {
    scalar = isPlain(text) ? text : quote(text);
    if (scalarCache.size >= cacheLimit) scalarCache.clear();
    scalarCache.set(text, scalar);
  }
  return scalar;
}

// Readers derive the indentation from the first line with text, which must not start with whitespace of its own.
const unsafeInBlock = /^\n*[ \t]|\n[ \t]+(?:\n|$)|\n\t/;

/** Returns whether a multiline text can be written as a block literal that every reader reads back. */
export function fitsBlock(text: string): boolean {
  return /[^\n]/.test(text) && !unsafeInBlock.test(text) && !unprintableInBlock.test(text);
}
