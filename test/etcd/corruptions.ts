import fc from 'fast-check';
import { byteKinds } from './bolt-reader';

/**
 * A corrupted file and the corrupted byte range; if the length is unchanged, bytes after `to` equal the original.
 */
export interface CorruptedFile {
  readonly file: Buffer;
  readonly from: number;
  readonly to: number;
}

/** Corrupts a file, in place if its length stays the same. */
export type Corruption = (file: Buffer) => CorruptedFile;

/** Returns corruptions: a bit flip, truncation, a page filled with one byte, a page copied over another, random bytes. */
export function corruptions(pageSize: number): fc.Arbitrary<Corruption> {
  const position = fc.double({ min: 0, max: 0.999999, noNaN: true });
  const at = (where: number, file: Buffer): number => Math.floor(where * file.length);
  const pageAt = (where: number, file: Buffer): number => Math.floor(at(where, file) / pageSize) * pageSize;
  return fc.oneof(
    fc.tuple(position, fc.integer({ min: 0, max: 7 })).map(([where, bit]) => (file: Buffer): CorruptedFile => {
      const from = at(where, file);
      file[from] = (file[from] as number) ^ (1 << bit);
      return { file, from, to: from + 1 };
    }),
    position.map((where) => (file: Buffer): CorruptedFile => {
      const from = at(where, file);
      return { file: file.subarray(0, from), from, to: file.length };
    }),
    fc.tuple(position, fc.integer({ min: 0, max: 255 })).map(([where, byte]) => (file: Buffer): CorruptedFile => {
      const from = pageAt(where, file);
      const to = Math.min(file.length, from + pageSize);
      return { file: file.fill(byte, from, to), from, to };
    }),
    fc.tuple(position, position).map(([one, other]) => (file: Buffer): CorruptedFile => {
      const from = pageAt(other, file);
      file.copy(file, from, pageAt(one, file), pageAt(one, file) + pageSize);
      return { file, from, to: Math.min(file.length, from + pageSize) };
    }),
    fc
      .tuple(position, fc.uint8Array({ minLength: 1, maxLength: 64 }))
      .map(([where, bytes]) => (file: Buffer): CorruptedFile => {
        const from = at(where, file);
        const to = Math.min(file.length, from + bytes.length);
        file.set(bytes.subarray(0, to - from), from);
        return { file, from, to };
      }),
  );
}

/** Classifies corruption by the use of the original bytes. */
export function classifyCorruption(
  validFile: Buffer,
  kinds: Uint8Array,
  { file, from, to }: CorruptedFile,
): { readonly structure: boolean; readonly pointer: boolean } {
  let [structure, pointer] = [file.length < validFile.length, false];
  for (let at = from; at < Math.min(to, file.length); at++) {
    if (file[at] === validFile[at]) continue;
    structure ||= kinds[at] === byteKinds.structure;
    pointer ||= kinds[at] === byteKinds.pointer;
  }
  return { structure, pointer };
}
