import fc from 'fast-check';
import { type JsonSchema } from '../../lib/api/native';

/** A value of a structural schema with all fields, or with random optional ones. */
export interface SampleOptions {
  /** Equal seeds give equal values. */
  readonly seed: number;
  /** True to include every optional field. */
  readonly whole: boolean;
}

type Chance = () => number;

/** Builds a value that satisfies the types, patterns and bounds of a schema; rules across fields are ignored. */
export function sampleOf(schema: JsonSchema, { seed, whole }: SampleOptions): unknown {
  let state = seed;
  // mulberry32
  const chance: Chance = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return value(schema, chance, whole);
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly default?: unknown;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

function value(schema: Schema, chance: Chance, whole: boolean): unknown {
  if (schema.nullable) return null;
  if (schema.enum) return schema.enum[Math.floor(chance() * schema.enum.length)];
  if (schema['x-kubernetes-int-or-string']) return chance() < 0.5 ? integer(schema, chance) : text(schema, chance);
  switch (schema.type) {
    case 'string':
      return text(schema, chance);
    case 'integer':
    case 'number':
      return integer(schema, chance);
    case 'boolean':
      return chance() < 0.5;
    case 'array':
      return Array.from({ length: countOf(schema, chance) }, () => value(schema.items ?? {}, chance, whole));
    default:
      return object(schema, chance, whole);
  }
}

const countOf = ({ minItems = 0, maxItems = 2 }: Schema, chance: Chance): number =>
  Math.min(Math.max(minItems, chance() < 0.5 ? 1 : 2), maxItems);

const integer = ({ minimum = 0, maximum = minimum + 5 }: Schema, chance: Chance): number =>
  minimum + Math.floor(chance() * (Math.min(maximum, minimum + 5) - minimum + 1));

/** Generated strings by pattern: generating one is slow, and schemas repeat patterns. */
const known = new Map<string, readonly string[]>();

function text({ pattern = '^[a-z]{1,8}$', minLength = 0, maxLength = 1024 }: Schema, chance: Chance): string {
  const key = `${pattern} ${minLength} ${maxLength}`;
  let texts = known.get(key);
  if (texts === undefined) {
    const any = fc
      .stringMatching(new RegExp(pattern))
      .filter((one) => one.length >= minLength && one.length <= maxLength);
    known.set(key, (texts = fc.sample(any, { seed: 1, numRuns: 4 })));
  }
  return texts[Math.floor(chance() * texts.length)] as string;
}

function object(schema: Schema, chance: Chance, whole: boolean): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const made: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const needed = whole || required.includes(name) || field.default !== undefined;
    if (needed || chance() < 0.5) made[name] = value(field, chance, whole);
  }
  if (additionalProperties) {
    for (const name of ['first', 'second']) made[name] = value(additionalProperties, chance, whole);
  }
  return made;
}
