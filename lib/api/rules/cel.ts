import type * as Cel from '@marcbachmann/cel-js';
import { celExtensions } from './cel-extensions';

/** Values by the names that an expression uses: self, object, params, namespaceObject, variables. */
export type CelVariables = Readonly<Record<string, unknown>>;

interface Expression {
  readonly run: (variables: Record<string, unknown>) => unknown;
  /** Per variable the fields that are read of it; absent if it is used as a whole. */
  readonly fields: ReadonlyMap<string, readonly string[] | undefined>;
}

const expressions = new Map<string, Expression>();
let environment: Cel.Environment | undefined;

/**
 * Evaluates a CEL expression as the API server would: whole numbers are ints, Kubernetes' functions on quantities and lists are there.
 *
 * The interpreter is loaded at the first call. Throws what the interpreter throws: for text that is not CEL, and for values of the wrong type.
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

/** Converts a value once, for variables that many expressions are evaluated with. */
export function celValue(value: unknown): unknown {
  const result = toCel(value);
  if (typeof result === 'object' && result !== null) converted.add(result);
  return result;
}

/** Checks that a text is CEL without evaluating it; the message says where it is not. */
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

/** The fields read of a variable, where it is never used without one. */
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
  // The interpreter knows a list by its constructor; map() of an array of another realm would keep that realm's.
  if (Array.isArray(value)) return Array.from(value, toCel);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) if (entry !== undefined) result[key] = toCel(entry);
  // The interpreter knows an object by its constructor, which an entry of this name would hide.
  return Object.hasOwn(result, 'constructor') ? new Map(Object.entries(result)) : result;
}

/** Whole numbers become numbers again. */
function fromCel(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(fromCel) : value;
}
