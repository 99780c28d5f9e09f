import { type SeededRandom } from '../chaos/seeded-random';
import { pathsIn, valueAtPath, type DocumentPath } from './document-paths';
import { type Fragments } from './fragments';

/** One changed field of a document. */
export interface FieldMutation {
  /** Path from the root, such as `spec.template.spec.containers.0.image`. */
  readonly path: string;
  /** The new value as JSON, or `(removed)`. */
  readonly value: string;
  /** Returns a copy of the document with the change. */
  apply(document: object): object;
}

type Holder = Record<string | number, unknown>;

/** Draws a mutation of a document: removed, of another type or size, duplicate, unknown, or a value of another document. */
export function drawMutation(document: object, random: SeededRandom, fragments: Fragments): FieldMutation {
  const paths = pathsIn(document).filter(([first, second]) => first === 'spec' || isMutableMetadata(first, second));
  const path = random.of(paths);
  const old = valueAtPath(document, path);
  const kind = random.of(['remove', 'size', 'size', 'type', 'transplant', 'transplant', 'member', 'member'] as const);
  if (kind === 'remove') return mutationAt(path, undefined);
  if (kind === 'size') return mutationAt(path, drawSize(old, random));
  if (kind === 'type') return mutationAt(path, random.of(otherTypes));
  if (kind === 'transplant') return mutationAt(path, fragments.drawValue(path, random) ?? drawSize(old, random));
  if (Array.isArray(old))
    return mutationAt(path, [...(old as unknown[]), fragments.drawValue([...path, 0], random) ?? 'a']);
  if (typeof old !== 'object' || old === null) return mutationAt(path, drawSize(old, random));
  const [key, value] = fragments.drawMember(path, random) ?? ['unknownField', random.of(otherTypes)];
  return mutationAt([...path, key], value);
}

/** Returns the mutation that sets a field, or removes it if there is no value. */
function mutationAt(path: DocumentPath, value: unknown): FieldMutation {
  return {
    path: path.join('.'),
    value: value === undefined ? '(removed)' : JSON.stringify(value).slice(0, 200),
    apply(document) {
      // A structured clone inside a test has arrays of another realm, which CEL does not recognize.
      const copy = JSON.parse(JSON.stringify(document)) as Holder;
      const holder = valueAtPath(copy, path.slice(0, -1));
      const key = path.at(-1) as string | number;
      // The field may be within one that another mutation removed.
      if (typeof holder !== 'object' || holder === null) return copy;
      if (value !== undefined) (holder as Holder)[key] = JSON.parse(JSON.stringify(value)) as unknown;
      else if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else Reflect.deleteProperty(holder, key);
      return copy;
    },
  };
}

const isMutableMetadata = (first: unknown, second: unknown): boolean =>
  first === 'metadata' && ['name', 'labels', 'annotations'].includes(String(second));

const otherTypes = [7, 0, -1, 1.5, true, false, 'text', '', [], ['a'], {}, { a: 'b' }, null] as const;
const numbers = [-1, 0, 1, 2, 1.5, 100, 1000, 65_536, 100_000, 2 ** 31, 2 ** 53 - 1];
const texts = [
  ...[
    '',
    ' ',
    'x',
    'x'.repeat(64),
    'x'.repeat(300),
    'Not Valid',
    'a/b',
    '-a',
    'a-',
    'a_b',
    'a.b',
    'A',
    'ü',
    '\u0000',
    'a\nb',
  ],
  ...[
    '0',
    '1',
    '-1',
    '1.5',
    '100',
    '10%',
    '0%',
    '200%',
    '5m',
    '0s',
    '1h30m',
    '1ms',
    '100000h',
    '500m',
    '0.5',
    '1e3',
    '1Ei',
  ],
  ...['/', '/a', '/a/../b', '/a/', 'a:b', '/a:b', '$(A)', '${A}', 'Always', 'None', '*', '*.example.com', '10.0.0.0/8'],
  ...[
    '10.0.0.1/8',
    '::1/128',
    'true',
    'null',
    'kubernetes.io/a',
    'example.com/gpu',
    '0123',
    '~',
    '1Gi',
    '0Gi',
    '-1Gi',
    '1k',
  ],
];

function drawSize(old: unknown, random: SeededRandom): unknown {
  if (typeof old === 'number') return random.of([...numbers, old + 1, old - 1, -old]);
  if (typeof old === 'string')
    return random.of([...texts, `${old}x`, old.toUpperCase(), `${old}.`, old.slice(1), `${old}/${old}`]);
  if (typeof old === 'boolean') return !old;
  if (Array.isArray(old)) {
    const list = old as unknown[];
    return random.of([
      [],
      [...list, ...list],
      [...list, list[0]],
      Array.from({ length: 1100 }, () => list[0]),
      [...list].reverse(),
    ]);
  }
  const members = Object.entries((old ?? {}) as Holder);
  const many = Array.from({ length: 600 }, (_, index) => [`k${index}`, members[0]?.[1] ?? 'a'] as const);
  return random.of([{}, Object.fromEntries([...members, ...many]), Object.fromEntries(members.slice(1))]);
}
