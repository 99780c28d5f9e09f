import { gunzipSync } from 'node:zlib';

const block = 512;
/** Larger than any packed library. */
const maxOutputLength = 512 * 1024 * 1024;

/** Name and version of a packed package. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
}

/** Reads name and version of a file that `npm pack` wrote; returns undefined for other content. */
export function readPackedPackage(content: Uint8Array): PackedPackage | undefined {
  try {
    const text = fileInArchive(gunzipSync(content, { maxOutputLength }), 'package/package.json');
    const { name, version } = JSON.parse(text ?? '') as Partial<Record<keyof PackedPackage, unknown>>;
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the text of a file in a tar archive; each file is a header block, then its content in whole blocks. */
function fileInArchive(archive: Buffer, wanted: string): string | undefined {
  const fieldAt = (start: number, length: number): string =>
    archive.toString('latin1', start, start + length).replace(/\0.*$/s, '');
  for (let at = 0; at + block <= archive.length;) {
    const size = Number.parseInt(fieldAt(at + 124, 12), 8);
    if (Number.isNaN(size)) return undefined;
    const start = at + block;
    if (fieldAt(at, 100) === wanted) return archive.toString('utf8', start, start + size);
    at = start + Math.ceil(size / block) * block;
  }
  return undefined;
}
