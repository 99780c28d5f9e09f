import { ByteTable } from '../analysis/byte-table';
import { JsonValue } from './json-value';
import { ProtobufValue } from './protobuf-value';
import { isText, type ByteRange, ValueSummary } from './value-summary';

const protobufPrefix = Buffer.from('k8s\0');
const encryptedPrefix = Buffer.from('k8s:enc:');
/** Self-described CBOR tag. */
const cborPrefix = Uint8Array.of(0xd9, 0xd9, 0xf7);
const [space, brace, nul, colon] = [0x20, 0x7b, 0, 0x3a];

/** Reads the summary of a value, and interns its kind, owner, writer and encryption. */
export class ValueReader {
  readonly summary = new ValueSummary();
  /** Kinds, such as `apps/v1 Deployment`. */
  readonly kinds = new ByteTable();
  /** Owners: kind and name, separated by NUL. */
  readonly owners = new ByteTable();
  /** Writers: manager, subresource and kind, separated by NUL. */
  readonly writers = new ByteTable();
  /** Encryption providers and keys, such as `aescbc:v1:key1`. */
  readonly encryptions = new ByteTable();
  /** IDs of the last value; -1 if it has none. */
  kind = -1;
  owner = -1;
  writer = -1;
  encryption = -1;
  private readonly protobuf = new ProtobufValue();
  private readonly json = new JsonValue();
  private readonly joined = new Uint8Array(2048);

  read(bytes: Uint8Array, from: number, to: number): void {
    const { summary } = this;
    summary.clear();
    this.kind = this.owner = this.writer = this.encryption = -1;
    const startsWith = (prefix: Uint8Array): boolean => isText(bytes, from, Math.min(to, from + prefix.length), prefix);
    if (startsWith(protobufPrefix)) {
      summary.format = 'protobuf';
      this.protobuf.read(bytes, from, to, summary);
    } else if (bytes[from] === brace && to > from) {
      summary.format = 'json';
      this.json.read(bytes, from, to, summary);
    } else if (startsWith(encryptedPrefix)) {
      summary.format = 'encrypted';
      this.encryption = this.encryptions.intern(bytes, from + encryptedPrefix.length, endOfPrefix(bytes, from, to));
      return;
    } else {
      if (startsWith(cborPrefix)) summary.format = 'cbor';
      return;
    }
    this.intern(bytes);
  }

  private intern(bytes: Uint8Array): void {
    const { apiVersion, kind, ownerKind, ownerName, manager, subresource } = this.summary;
    if (kind.isEmpty) return;
    this.kind = this.join(this.kinds, bytes, space, apiVersion, kind);
    if (!ownerName.isEmpty) this.owner = this.join(this.owners, bytes, nul, ownerKind, ownerName);
    if (!manager.isEmpty) this.writer = this.join(this.writers, bytes, nul, manager, subresource, kind);
  }

  private join(table: ByteTable, bytes: Uint8Array, separator: number, ...parts: readonly ByteRange[]): number {
    const { joined } = this;
    let filled = 0;
    for (const [index, { from, to }] of parts.entries()) {
      if (index > 0) joined[filled++] = separator;
      const end = Math.min(to, from + 600);
      for (let at = from; at < end; at++) joined[filled++] = bytes[at] as number;
    }
    return table.intern(joined, 0, filled);
  }
}

/** Returns the end of the prefix of an encrypted value: provider, version and key name, each followed by a colon. */
function endOfPrefix(bytes: Uint8Array, from: number, to: number): number {
  let colons = 0;
  const end = Math.min(to, from + 300);
  for (let at = from; at < end; at++) if (bytes[at] === colon && ++colons === 5) return at;
  return end;
}
