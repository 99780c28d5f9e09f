import type * as Cel from '@marcbachmann/cel-js';
import { celExtensions } from './cel-extensions';

/** Values of the variables of an expression: self, object, params, namespaceObject, variables. */
export type CelVariables = Readonly<Record<string, unknown>>;

interface Expression {
  readonly run: (variables: Record<string, unknown>) => unknown;
  /** Fields that are read of each variable; absent if it is used as a whole. */
  readonly fields: ReadonlyMap<string, readonly string[] | undefined>;
}

const expressions = new Map<string, Expression>();
let environment: Cel.Environment | undefined;

/**
 * Evaluates a CEL expression like the API server: integers are ints, and Kubernetes' functions on quantities and lists
 * are available.
 *
 * The interpreter is loaded on first use. Throws its errors: for invalid CEL, and for values of the wrong type.
 */
export function evaluateCel(expression: string, variables: CelVariables): unknown {
  let known = expressions.get(expression);
  if (known === undefined) expressions.set(expression, (known = prepare(expression, Object.keys(variables))));
  const values: Record<string, unknown> = {};
  for (const name in variables) {
    const value = variables[name];
    if (typeof value === 'object' && value !== null && converted.has(value)) {
      values[name] = value;
      continue;
    }
    const fields = known.fields.get(name);
    values[name] = fields === undefined ? toCel(variables[name]) : pick(variables[name], fields);
  }
  return fromCel(known.run(values));
}

const converted = new WeakSet<object>();

/** Converts a value once, for variables of many expressions. */
export function celValue(value: unknown): unknown {
  const result = toCel(value);
  if (typeof result === 'object' && result !== null) converted.add(result);
  return result;
}

/** Parses CEL without evaluating it; returns the error message, with its position. */
export function celError(expression: string): string | undefined {
  try {
    environmentOf().parse(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function environmentOf(): Cel.Environment {
  if (environment === undefined) {
    // Loaded here because loading takes 20 ms, which most runs never need.
    const cel = module.require('@marcbachmann/cel-js') as typeof Cel;
    environment = new cel.Environment({
      unlistedVariablesAreDyn: true,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
    });
    celExtensions(environment);
  }
  return environment;
}

function prepare(expression: string, names: readonly string[]): Expression {
  const parsed = environmentOf().parse(expression);
  const fields = new Map(names.map((name) => [name, fieldsOf(expression, name)]));
  return { run: (variables): unknown => parsed(variables), fields };
}

/** Returns the fields that are read of a variable; undefined if it is also used as a whole. */
function fieldsOf(expression: string, name: string): readonly string[] | undefined {
  const all = expression.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
  const read = [...expression.matchAll(new RegExp(`(?<![\\w.])${name}\\.(\\w+)(?!\\w*\\()`, 'g'))].map(
    (match) => match[1] as string,
  );
  return read.length === all ? [...new Set(read)] : undefined;
}

function pick(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return toCel(value);
  const picked: Record<string, unknown> = {};
  for (const field of fields) {
    const entry = (value as Readonly<Record<string, unknown>>)[field];
    if (entry !== undefined) picked[field] = toCel(entry);
  }
  return picked;
}

function toCel(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && converted.has(value)) return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  // The interpreter recognizes lists by their constructor; map() of an array of another realm would keep that realm's.
  if (Array.isArray(value)) return Array.from(value, toCel);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) if (entry !== undefined) result[key] = toCel(entry);
  // The interpreter recognizes objects by their constructor, which an entry with this name would hide.
  return Object.hasOwn(result, 'constructor') ? new Map(Object.entries(result)) : result;
}

/** Converts ints back to numbers. */
function fromCel(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(fromCel) : value;
}
