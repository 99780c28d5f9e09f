/** One requirement of a label selector. */
interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Returns whether labels match a selector. */
export type LabelSelector = (labels: Labels) => boolean;

/** Prefix of a label key, a DNS name of up to 253 characters, and its name, up to 63. */
const prefixPattern = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const namePattern = /^(?=.{1,63}$)[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;
const maxValueLength = 63;
/**
 * Characters of a selector, and its requirements and the values of its sets together. Each costs time for each object of a
 * list and each event of a watch.
 */
export const selectorLimits = { length: 1_000, terms: 32 };

/**
 * Parses the text of a label selector, such as `app=web,tier in (front, back),!canary`.
 * Returns undefined for whatever it does not understand, and for a selector of more than 1,000 characters, or 32
 * requirements and values; the API server then decides about the request.
 */
export function parseLabelSelector(text: string): LabelSelector | undefined {
  if (text.length > selectorLimits.length) return undefined;
  const parts = splitRequirements(text);
  if (parts === undefined) return undefined;
  const requirements = parts.map(parseRequirement);
  if (!requirements.every((requirement) => requirement !== undefined)) return undefined;
  const terms = requirements.reduce((sum, { values }) => sum + Math.max(1, values.length), 0);
  if (terms > selectorLimits.terms) return undefined;
  return (labels) => requirements.every((requirement) => isMet(requirement, labels));
}

/** Splits at the commas outside of parentheses; undefined for parentheses that do not match. */
function splitRequirements(text: string): string[] | undefined {
  if (text.trim() === '') return [];
  const parts: string[] = [];
  let from = 0;
  let isInSet = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(' || character === ')') {
      if (isInSet === (character === '(')) return undefined;
      isInSet = !isInSet;
    } else if (character === ',' && !isInSet) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return isInSet ? undefined : parts;
}

/** Characters that selectors consist of: others, such as spaces that are not ASCII, are left to the API server. */
const knownCharacters = /^[-\w./ \t!=<>(),]*$/;

function parseRequirement(untrimmed: string): Requirement | undefined {
  if (!knownCharacters.test(untrimmed)) return undefined;
  const text = untrimmed.trim();
  const requirement = parseExistence(text) ?? parseSet(text) ?? parseComparison(text);
  return requirement && isValid(requirement) ? requirement : undefined;
}

function parseExistence(text: string): Requirement | undefined {
  const [, not, key] = /^(!?)[ \t]*([^\s!=<>(),]+)$/.exec(text) ?? [];
  if (key === undefined) return undefined;
  return { key, operator: not === '!' ? 'DoesNotExist' : 'Exists', values: [] };
}

function parseSet(text: string): Requirement | undefined {
  const [, key, operator, list] = /^([^\s!=<>(),]+)[ \t]+(in|notin)[ \t]*\(([^()]*)\)$/.exec(text) ?? [];
  if (key === undefined || list === undefined) return undefined;
  const values = list.split(',').map((value) => value.trim());
  return { key, operator: operator === 'in' ? 'In' : 'NotIn', values };
}

const operators = { '=': 'In', '==': 'In', '!=': 'NotIn', '>': 'GreaterThan', '<': 'LessThan' } as const;

function parseComparison(text: string): Requirement | undefined {
  const [, key, operator, value] = /^([^\s!=<>(),]+)[ \t]*(==|=|!=|>|<)[ \t]*([^\s!=<>(),]*)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) return undefined;
  return { key, operator: operators[operator as keyof typeof operators], values: [value] };
}

function isValid({ key, operator, values }: Requirement): boolean {
  if (!isKey(key)) return false;
  if (operator === 'GreaterThan' || operator === 'LessThan')
    return values.every((value) => !value.startsWith('-') && integerOf(value) !== undefined);
  return values.every((value) => value.length <= maxValueLength && valuePattern.test(value));
}

function isKey(key: string): boolean {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  return more.length === 0 && namePattern.test(name) && (prefix === undefined || prefixPattern.test(prefix));
}

/** Returns a decimal number of 64 bits; undefined for any other text. */
function integerOf(text: string): bigint | undefined {
  if (!/^[-+]?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function isMet({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return isOrdered(operator, integerOf(value ?? ''), integerOf(values[0] ?? ''));
  }
}

function isOrdered(
  operator: 'GreaterThan' | 'LessThan',
  value: bigint | undefined,
  bound: bigint | undefined,
): boolean {
  if (value === undefined || bound === undefined) return false;
  return operator === 'GreaterThan' ? value > bound : value < bound;
}
