import { type SeededRandom } from '../chaos/seeded-random';
import { pathsIn, valueAtPath, type DocumentPath } from './document-paths';

/** Values of documents by the names of their field and its parent, to set fields to values that occur elsewhere. */
export class Fragments {
  readonly #values = new Map<string, unknown[]>();
  readonly #members = new Map<string, (readonly [string, unknown])[]>();

  constructor(documents: readonly object[]) {
    for (const document of documents)
      for (const path of pathsIn(document)) {
        const value = valueAtPath(document, path);
        append(this.#values, nameOf(path), value);
        const key = path.at(-1);
        if (typeof key === 'string') append(this.#members, nameOf(path.slice(0, -1)), [key, value] as const);
      }
  }

  /** Draws a value of a field of the same name; undefined if no document has one. */
  drawValue(path: DocumentPath, random: SeededRandom): unknown {
    const known = this.#values.get(nameOf(path));
    return known && random.of(known);
  }

  /** Draws a field, with its value, of an object of the same name; undefined if no document has one. */
  drawMember(path: DocumentPath, random: SeededRandom): readonly [string, unknown] | undefined {
    const known = this.#members.get(nameOf(path));
    return known && random.of(known);
  }
}

/** Names a field by its last two names, whatever the positions in lists. */
const nameOf = (path: DocumentPath): string =>
  path
    .map((step) => (typeof step === 'number' ? '[]' : step))
    .slice(-2)
    .join('.');

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
