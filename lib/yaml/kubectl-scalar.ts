/** Value that kubectl's YAML reader decodes from an unquoted scalar, with an error or a warning. */
export interface Reading {
  readonly value: string | number | boolean | null;
  /** Reason why the value cannot be represented; the value is then the text. */
  readonly error?: { readonly code: 'out-of-range' | 'bad-format'; readonly reason: string };
  /** Reason why the value may be unintended. */
  readonly warning?: string;
}

const variants = (word: string): string[] => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];

const reservedScalars = new Map<string, Reading>();
for (const text of ['~', ...variants('null')]) reservedScalars.set(text, { value: null });
for (const text of variants('true')) reservedScalars.set(text, { value: true });
for (const text of variants('false')) reservedScalars.set(text, { value: false });
for (const text of ['y', 'Y', ...variants('yes'), ...variants('on')]) {
  reservedScalars.set(text, { value: true, warning: 'unquoted, kubectl reads it as true' });
}
for (const text of ['n', 'N', ...variants('no'), ...variants('off')]) {
  reservedScalars.set(text, { value: false, warning: 'unquoted, kubectl reads it as false' });
}
for (const text of [
  '.nan',
  '.NaN',
  '.NAN',
  ...['', '+', '-'].flatMap((sign) => variants('inf').map((word) => `${sign}.${word}`)),
]) {
  reservedScalars.set(text, { value: text, error: { code: 'bad-format', reason: 'JSON has no such number' } });
}

/** Sign, then the digits of base 2, 8, 16, or 8 with only a leading zero. */
const prefixedInteger = /^([-+]?)(?:0[bB]([01]+)|0[oO]([0-7]+)|0[xX]([0-9a-fA-F]+)|0([0-7]+))$/;
const decimal = /^[-+]?(?:0|[1-9][0-9]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

const outOfRange = (value: string, reason: string): Reading => ({ value, error: { code: 'out-of-range', reason } });

function readInteger(text: string, magnitude: string): Reading {
  const value = (text.startsWith('-') ? -1 : 1) * Number(magnitude);
  if (!Number.isSafeInteger(value)) return outOfRange(text, 'the integer is beyond 2^53 and would lose digits');
  return { value: value === 0 ? 0 : value };
}

function readFloat(text: string, plain: string): Reading {
  const value = Number(plain);
  if (!Number.isFinite(value)) return outOfRange(text, 'the number is too large for a 64-bit float');
  const mantissa = plain.split(/[eE]/)[0] as string;
  if (value === 0 && /[1-9]/.test(mantissa)) return outOfRange(text, 'the number is too small for a 64-bit float');
  const isInteger = /^[-+]?[0-9]+(?:\.0*)?$/.test(plain);
  if (isInteger && !Number.isSafeInteger(value))
    return outOfRange(text, 'the integer is beyond 2^53 and would lose digits');
  if (/^[-+]?0[0-9]+$/.test(plain))
    return { value, warning: `it is not an octal number, and kubectl reads it as ${value}` };
  return { value };
}

function readNumber(text: string): Reading | undefined {
  // kubectl's reader drops underscores anywhere; after a leading point they must separate digits.
  if (text.startsWith('.') && /_(?![0-9])|(?<![0-9])_/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const digits = prefixedInteger.exec(plain);
  let reading: Reading | undefined;
  if (digits) {
    const [, , binary, octal, hex, zeroOctal] = digits;
    const prefix = binary ? '0b' : hex ? '0x' : '0o';
    reading = readInteger(text, prefix + (binary ?? octal ?? hex ?? zeroOctal));
  } else if (decimal.test(plain)) reading = readInteger(text, plain.replace(/^[-+]/, ''));
  else if (float.test(plain)) reading = readFloat(text, plain);
  if (!reading || reading.error || plain === text) return reading;
  return { ...reading, warning: `unquoted, kubectl reads it as ${String(reading.value)}` };
}

/**
 * Reads an unquoted scalar like kubectl (YAML 1.1 without sexagesimal numbers; dates stay strings); undefined for
 * strings.
 */
export function readPlainScalar(text: string): Reading | undefined {
  const first = text.charCodeAt(0);
  // Digits, signs and the point, then the first letters of the reserved words.
  if ((first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e) {
    return reservedScalars.get(text) ?? readNumber(text);
  }
  return text.length <= 5 ? reservedScalars.get(text) : undefined;
}
