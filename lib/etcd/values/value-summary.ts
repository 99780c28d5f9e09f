/** Encodings of a value. */
export const valueFormats = ['protobuf', 'json', 'encrypted', 'cbor', 'other'] as const;

/** Encoding of a value. */
export type ValueFormat = (typeof valueFormats)[number];

/** Byte range in a buffer. */
export class ByteRange {
  from = 0;
  to = 0;

  set(from: number, to: number): void {
    this.from = from;
    this.to = to;
  }

  get isEmpty(): boolean {
    return this.to === this.from;
  }
}

/** Facts of one value; one object serves all values of a scan. */
export class ValueSummary {
  format: ValueFormat = 'other';
  readonly apiVersion = new ByteRange();
  readonly kind = new ByteRange();
  /** Controlling owner, otherwise the first one. */
  readonly ownerKind = new ByteRange();
  readonly ownerName = new ByteRange();
  /** Last field manager, and its subresource. */
  readonly manager = new ByteRange();
  readonly subresource = new ByteRange();
  /** Time of the write in seconds; 0 if unknown. */
  time = 0;
  /** Bytes of metadata.managedFields, of the last-applied annotation and of the status. */
  managedFields = 0;
  lastApplied = 0;
  status = 0;

  clear(): void {
    this.format = 'other';
    for (const one of [this.apiVersion, this.kind, this.ownerKind, this.ownerName, this.manager, this.subresource])
      one.set(0, 0);
    this.time = this.managedFields = this.lastApplied = this.status = 0;
  }

  /**
   * Records an entry of managedFields if it is later than the previous ones; among equal times, one of a subresource
   * takes precedence.
   */
  addManager(time: number, manager: ByteRange, subresource: ByteRange): void {
    if (time < this.time || manager.isEmpty || (time === this.time && subresource.isEmpty && !this.subresource.isEmpty))
      return;
    this.time = time;
    this.manager.set(manager.from, manager.to);
    this.subresource.set(subresource.from, subresource.to);
  }

  /** Records an owner, unless the controlling owner is already known. */
  addOwner(kind: ByteRange, name: ByteRange, isController: boolean): void {
    if (!this.ownerName.isEmpty && !isController) return;
    this.ownerKind.set(kind.from, kind.to);
    this.ownerName.set(name.from, name.to);
  }
}

/** Annotation in which `kubectl apply` keeps a copy of the object. */
export const lastAppliedKey = Buffer.from('kubectl.kubernetes.io/last-applied-configuration');

/** Returns whether a range of a buffer equals the given bytes. */
export function isText(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text[at]) return false;
  return true;
}
