import { FAILSAFE_SCHEMA, Type, type Schema } from 'js-yaml';
import { readPlainScalar, type Reading } from './kubectl-scalar';

/** Placeholder of a scalar with a problem or warning, until its position in the document is known. */
export class RemarkedScalar {
  constructor(
    readonly text: string,
    readonly reading: Reading,
  ) {}
  // The parser converts it to a key with String(), which it allows for objects that do not look plain.
  readonly [Symbol.toStringTag] = 'RemarkedScalar';
  toString(): string {
    return keyMark + this.text;
  }
}

/** Placeholder of a node with an unsupported tag. */
export class TaggedNode {
  constructor(readonly tag: string) {}
  readonly [Symbol.toStringTag] = 'TaggedNode';
  toString(): string {
    return `${keyMark}!`;
  }
}

/** Prefix of a key that was an unquoted scalar with a remark; a noncharacter that the reader rejects in strings. */
export const keyMark = '\uffff';

const plainTag = 'pinion:plain';

/** Schema of the parser, and whether it has inserted placeholders into a document since the last reset. */
export interface DocumentSchema {
  readonly schema: Schema;
  hasPlaceholders: boolean;
}

/** Creates a schema that reads scalars like kubectl, and inserts placeholders for those with remarks. */
export function makeDocumentSchema(): DocumentSchema {
  const documentSchema: { schema: Schema; hasPlaceholders: boolean } = {
    schema: FAILSAFE_SCHEMA,
    hasPlaceholders: false,
  };
  let reading: Reading | undefined;
  const construct = (text: string): unknown => {
    const { value, error, warning } = reading as Reading;
    // As a key, a scalar becomes the result of String(): if that differs from the text, there is a remark too.
    if (value !== null && !error && !warning && String(value) === text) return value;
    documentSchema.hasPlaceholders = true;
    return new RemarkedScalar(text, reading as Reading);
  };
  const scalar = (tag: string, accepts: (value: Reading['value']) => boolean): Type =>
    new Type(tag, {
      kind: 'scalar',
      resolve: (text: string | null) => {
        reading = text === null ? undefined : readPlainScalar(text);
        return reading !== undefined && accepts(reading.value);
      },
      construct,
    });
  const unsupportedTag = (kind: 'scalar' | 'sequence' | 'mapping'): Type =>
    new Type('', {
      kind,
      multi: true,
      construct: (_data: unknown, tag?: string) => {
        documentSchema.hasPlaceholders = true;
        return new TaggedNode(tag ?? '');
      },
    });
  const core = 'tag:yaml.org,2002:';
  documentSchema.schema = FAILSAFE_SCHEMA.extend({
    implicit: [
      scalar(plainTag, () => true),
      new Type(`${core}merge`, { kind: 'scalar', resolve: (text: string | null) => text === '<<' }),
    ],
    explicit: [
      scalar(`${core}bool`, (value) => typeof value === 'boolean'),
      scalar(`${core}int`, (value) => Number.isInteger(value)),
      scalar(`${core}float`, (value) => typeof value === 'number'),
      new Type(`${core}null`, {
        kind: 'scalar',
        resolve: (text: string | null) => !text || text === '~' || text === 'null',
        construct: () => null,
      }),
      unsupportedTag('scalar'),
      unsupportedTag('sequence'),
      unsupportedTag('mapping'),
    ],
  });
  return documentSchema;
}
