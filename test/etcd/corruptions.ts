import fc from 'fast-check';
import { byteKinds } from './bolt-reader';

/**
 * A corrupted file and the corrupted byte range; bytes after `to` are those of the original, if the length is the same.
 */
export interface CorruptedFile {
  readonly file: Buffer;
  readonly from: number;
  readonly to: number;
}

/** Corrupts a file, in place if its length stays the same. */
export type Corruption = (file: Buffer) => CorruptedFile;

/** Corruptions: a bit flip, truncation, a page of one byte, a page over another, random bytes. */
export function corruptions(pageSize: number): fc.Arbitrary<Corruption> {
  const place = fc.double({ min: 0, max: 0.999999, noNaN: true });
  const at = (where: number, file: Buffer): number => Math.floor(where * file.length);
  const pageAt = (where: number, file: Buffer): number => Math.floor(at(where, file) / pageSize) * pageSize;
  return fc.oneof(
    fc.tuple(place, fc.integer({ min: 0, max: 7 })).map(([where, bit]) => (file: Buffer): CorruptedFile => {
      const from = at(where, file);
      file[from] = (file[from] as number) ^ (1 << bit);
      return { file, from, to: from + 1 };
    }),
    place.map((where) => (file: Buffer): CorruptedFile => {
      const from = at(where, file);
      return { file: file.subarray(0, from), from, to: file.length };
    }),
    fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([where, byte]) => (file: Buffer): CorruptedFile => {
      const from = pageAt(where, file);
      const to = Math.min(file.length, from + pageSize);
      return { file: file.fill(byte, from, to), from, to };
    }),
    fc.tuple(place, place).map(([one, other]) => (file: Buffer): CorruptedFile => {
      const from = pageAt(other, file);
      file.copy(file, from, pageAt(one, file), pageAt(one, file) + pageSize);
      return { file, from, to: Math.min(file.length, from + pageSize) };
    }),
    fc
      .tuple(place, fc.uint8Array({ minLength: 1, maxLength: 64 }))
      .map(([where, bytes]) => (file: Buffer): CorruptedFile => {
        const from = at(where, file);
        const to = Math.min(file.length, from + bytes.length);
        file.set(bytes.subarray(0, to - from), from);
        return { file, from, to };
      }),
  );
}

/** Classifies corruption by the use of the original bytes. */
export function struck(
  sound: Buffer,
  kinds: Uint8Array,
  { file, from, to }: CorruptedFile,
): { readonly structure: boolean; readonly pointer: boolean } {
  let [structure, pointer] = [file.length < sound.length, false];
  for (let at = from; at < Math.min(to, file.length); at++) {
    if (file[at] === sound[at]) continue;
    structure ||= kinds[at] === byteKinds.structure;
    pointer ||= kinds[at] === byteKinds.pointer;
  }
  return { structure, pointer };
}
