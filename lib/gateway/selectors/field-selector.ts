import { selectorLimits } from './label-selector';

/** Values of the fields of an object that a field selector may name; a missing one counts as empty. */
export type SelectableFields = Readonly<Record<string, string>>;

/** Field selector, parsed. */
export interface FieldSelector {
  readonly matches: (fields: SelectableFields) => boolean;
}

/** One requirement: a field that equals, or does not equal, a value. */
interface Requirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Parses the text of a field selector, such as `spec.nodeName=node-1,status.phase!=Running`, over the fields that are
 * known. Returns undefined for whatever it does not understand, and for a selector of more than 1,000 characters or 32
 * requirements; the API server then decides about the request.
 */
export function parseFieldSelector(text: string, known: readonly string[]): FieldSelector | undefined {
  // A backslash escapes a comma, an equals sign or a backslash; such values are too rare to be parsed twice.
  if (text.includes('\\') || text.length > selectorLimits.length) return undefined;
  const requirements = text
    .split(',')
    .filter((part) => part !== '')
    .map(parseRequirement);
  if (requirements.length > selectorLimits.terms) return undefined;
  if (!requirements.every((requirement) => requirement !== undefined && known.includes(requirement.field)))
    return undefined;
  const parsed = requirements as Requirement[];
  return {
    matches: (fields) => parsed.every(({ field, equal, value }) => ((fields[field] ?? '') === value) === equal),
  };
}

function parseRequirement(text: string): Requirement | undefined {
  const [, field, operator, value] = /^([^=!]+)(==|!=|=)([^=!]*)$/.exec(text) ?? [];
  return field === undefined || value === undefined ? undefined : { field, equal: operator !== '!=', value };
}
