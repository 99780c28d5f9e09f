import { ByteTable } from './byte-table';
import { JsonValue } from './json-value';
import { ProtobufValue } from './protobuf-value';
import { isText, type Stretch, ValueFacts } from './value-facts';

const protobufMark = Buffer.from('k8s\0');
const encryptedMark = Buffer.from('k8s:enc:');
/** Of a value in CBOR, the self-describing tag. */
const cborMark = Uint8Array.of(0xd9, 0xd9, 0xf7);
const [space, brace, nul, colon] = [0x20, 0x7b, 0, 0x3a];

/** Reads what a value says of its object, and gives its kind, owner, writer and encryption a number each. */
export class ValueReader {
  readonly facts = new ValueFacts();
  /** Kinds, as `apps/v1 Deployment`. */
  readonly kinds = new ByteTable();
  /** Owners, as kind and name with a zero between. */
  readonly owners = new ByteTable();
  /** Writers, as manager, subresource and kind with zeroes between. */
  readonly writers = new ByteTable();
  /** Ways of encryption, as `aescbc:v1:key1`. */
  readonly encryptions = new ByteTable();
  /** Numbers of what was read last; -1 where it does not say. */
  kind = -1;
  owner = -1;
  writer = -1;
  encryption = -1;
  private readonly protobuf = new ProtobufValue();
  private readonly json = new JsonValue();
  private readonly joined = new Uint8Array(2048);

  read(bytes: Uint8Array, from: number, to: number): void {
    const { facts } = this;
    facts.clear();
    this.kind = this.owner = this.writer = this.encryption = -1;
    const begins = (mark: Uint8Array): boolean => isText(bytes, from, Math.min(to, from + mark.length), mark);
    if (begins(protobufMark)) {
      facts.format = 'protobuf';
      this.protobuf.read(bytes, from, to, facts);
    } else if (bytes[from] === brace && to > from) {
      facts.format = 'json';
      this.json.read(bytes, from, to, facts);
    } else if (begins(encryptedMark)) {
      facts.format = 'encrypted';
      this.encryption = this.encryptions.intern(bytes, from + encryptedMark.length, endOfPrefix(bytes, from, to));
      return;
    } else {
      if (begins(cborMark)) facts.format = 'cbor';
      return;
    }
    this.number(bytes);
  }

  private number(bytes: Uint8Array): void {
    const { apiVersion, kind, ownerKind, ownerName, manager, subresource } = this.facts;
    if (kind.isEmpty) return;
    this.kind = this.join(this.kinds, bytes, space, apiVersion, kind);
    if (!ownerName.isEmpty) this.owner = this.join(this.owners, bytes, nul, ownerKind, ownerName);
    if (!manager.isEmpty) this.writer = this.join(this.writers, bytes, nul, manager, subresource, kind);
  }

  private join(table: ByteTable, bytes: Uint8Array, between: number, ...parts: readonly Stretch[]): number {
    const { joined } = this;
    let filled = 0;
    for (const [index, { from, to }] of parts.entries()) {
      if (index > 0) joined[filled++] = between;
      const end = Math.min(to, from + 600);
      for (let at = from; at < end; at++) joined[filled++] = bytes[at] as number;
    }
    return table.intern(joined, 0, filled);
  }
}

/** Where the prefix of an encrypted value ends: provider, version and name of the key, a colon after each. */
function endOfPrefix(bytes: Uint8Array, from: number, to: number): number {
  let colons = 0;
  const end = Math.min(to, from + 300);
  for (let at = from; at < end; at++) if (bytes[at] === colon && ++colons === 5) return at;
  return end;
}
