import { FAILSAFE_SCHEMA, Type, type Schema } from 'js-yaml';
import { readPlainScalar, type Reading } from './kubectl-scalar';

/** Stands for a scalar about which there is something to say, until its place in the document is known. */
export class RemarkedScalar {
  constructor(
    readonly text: string,
    readonly reading: Reading,
  ) {}
  // The parser makes a key of it with String(), which it allows for what does not look like a plain object.
  readonly [Symbol.toStringTag] = 'RemarkedScalar';
  toString(): string {
    return keyMark + this.text;
  }
}

/** Stands for a node with a tag that no document may carry. */
export class TaggedNode {
  constructor(readonly tag: string) {}
  readonly [Symbol.toStringTag] = 'TaggedNode';
  toString(): string {
    return `${keyMark}!`;
  }
}

/** Begins a key that was an unquoted scalar with a remark; a noncharacter that the reader refuses in a text. */
export const keyMark = '\uffff';

const plainTag = 'pinion:plain';

/** The parser's schema and whether, since the last reset, it put stand-ins into a document. */
export interface DocumentSchema {
  readonly schema: Schema;
  standIns: boolean;
}

/** Creates a schema that reads scalars as kubectl does and leaves stand-ins where there is something to say. */
export function makeDocumentSchema(): DocumentSchema {
  const made: { schema: Schema; standIns: boolean } = { schema: FAILSAFE_SCHEMA, standIns: false };
  let reading: Reading | undefined;
  const construct = (text: string): unknown => {
    const { value, refusal, surprise } = reading as Reading;
    // As a key, a scalar becomes what String() makes of it: where that differs from the text there is a remark too.
    if (value !== null && !refusal && !surprise && String(value) === text) return value;
    made.standIns = true;
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
  const refused = (kind: 'scalar' | 'sequence' | 'mapping'): Type =>
    new Type('', {
      kind,
      multi: true,
      construct: (_data: unknown, tag?: string) => {
        made.standIns = true;
        return new TaggedNode(tag ?? '');
      },
    });
  const core = 'tag:yaml.org,2002:';
  made.schema = FAILSAFE_SCHEMA.extend({
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
      refused('scalar'),
      refused('sequence'),
      refused('mapping'),
    ],
  });
  return made;
}
