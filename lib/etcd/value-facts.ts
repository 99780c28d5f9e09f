/** How a value is written. */
export const formats = ['protobuf', 'json', 'encrypted', 'cbor', 'other'] as const;

/** One of the ways in which a value is written. */
export type Format = (typeof formats)[number];

/** A stretch of a buffer. */
export class Stretch {
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

/** What the value of one object says; one object serves all values of a pass. */
export class ValueFacts {
  format: Format = 'other';
  readonly apiVersion = new Stretch();
  readonly kind = new Stretch();
  /** The owner that controls the object, else its first owner. */
  readonly ownerKind = new Stretch();
  readonly ownerName = new Stretch();
  /** Who wrote fields last, and through which subresource. */
  readonly manager = new Stretch();
  readonly subresource = new Stretch();
  /** When that was, in seconds; 0 where the object does not say. */
  time = 0;
  /** Bytes of metadata.managedFields, of the annotation of `kubectl apply`, and of the status. */
  managedFields = 0;
  lastApplied = 0;
  status = 0;

  clear(): void {
    this.format = 'other';
    for (const one of [this.apiVersion, this.kind, this.ownerKind, this.ownerName, this.manager, this.subresource])
      one.set(0, 0);
    this.time = this.managedFields = this.lastApplied = this.status = 0;
  }

  /** Takes an entry of managedFields that is later than those before; at one time, that of a subresource. */
  wrote(time: number, manager: Stretch, subresource: Stretch): void {
    if (time < this.time || manager.isEmpty || (time === this.time && subresource.isEmpty && !this.subresource.isEmpty))
      return;
    this.time = time;
    this.manager.set(manager.from, manager.to);
    this.subresource.set(subresource.from, subresource.to);
  }

  /** Takes an owner, unless one that controls the object is known. */
  ownedBy(kind: Stretch, name: Stretch, controls: boolean): void {
    if (!this.ownerName.isEmpty && !controls) return;
    this.ownerKind.set(kind.from, kind.to);
    this.ownerName.set(name.from, name.to);
  }
}

/** The annotation in which `kubectl apply` keeps a second copy of an object. */
export const lastAppliedKey = Buffer.from('kubectl.kubernetes.io/last-applied-configuration');

/** Whether a stretch of a buffer holds these bytes. */
export function isText(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text[at]) return false;
  return true;
}
