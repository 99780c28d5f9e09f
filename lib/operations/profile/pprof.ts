import { gunzipSync } from 'node:zlib';
import { ProtobufReader } from '../../etcd';

/** Type and unit of a profile's values, such as `inuse_space` in `bytes`. */
export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

/** Profile in pprof's model: CPU time or memory allocations by stack. */
export interface Profile {
  /** Types of the values of each sample, in order. */
  readonly values: readonly ValueType[];
  /** Default value type; the last one if the file has no default. */
  readonly defaultType: string;
  readonly samples: readonly ProfileSample[];
  /** Nanoseconds since 1970; 0 if unknown. */
  readonly time: number;
  /** Duration in nanoseconds; 0 for a snapshot. */
  readonly duration: number;
}

/** Sample of a stack. */
export interface ProfileSample {
  /** Functions, innermost first, including inlined ones. */
  readonly stack: readonly string[];
  readonly values: readonly number[];
}

/** Thrown for bytes that are not a profile. */
export class InvalidProfile extends Error {
  override readonly name = 'InvalidProfile' as const;
}

/** Maximum decompressed bytes; profiles of large API servers have tens of millions. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Parses a pprof profile (profile.proto), with or without gzip. Throws `InvalidProfile`.
 * Field numbers: https://github.com/google/pprof/blob/main/proto/profile.proto.
 */
export function readProfile(bytes: Uint8Array): Profile {
  const reader = new Reader(decompress(bytes));
  const { values } = reader;
  if (values.length === 0) throw new InvalidProfile('it has no value types');
  return {
    values,
    defaultType: reader.defaultType || (values.at(-1)?.type ?? ''),
    samples: reader.samples(),
    time: reader.time,
    duration: reader.duration,
  };
}

function decompress(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new InvalidProfile('it is corrupt, or larger than 512 MiB', { cause });
  }
}

/** Byte range of a message. */
type Span = readonly [from: number, to: number];

class Reader {
  readonly values: readonly ValueType[];
  readonly defaultType: string;
  time = 0;
  duration = 0;
  private readonly texts: string[] = [];
  private readonly sampleSpans: Span[] = [];
  /** Functions of each location, innermost first. */
  private readonly stacks = new Map<number, readonly string[]>();

  constructor(private readonly bytes: Uint8Array) {
    const [types, locations, functions]: [Span[], Span[], Span[]] = [[], [], []];
    let defaultType = 0;
    this.each([0, bytes.length], (wire) => {
      const span: Span = [wire.from, wire.to];
      if (wire.field === 1) types.push(span);
      else if (wire.field === 2) this.sampleSpans.push(span);
      else if (wire.field === 4) locations.push(span);
      else if (wire.field === 5) functions.push(span);
      else if (wire.field === 6) this.texts.push(Buffer.from(bytes.subarray(...span)).toString('utf8'));
      else if (wire.field === 9) this.time = wire.value;
      else if (wire.field === 10) this.duration = wire.value;
      else if (wire.field === 14) defaultType = wire.value;
    });
    this.defaultType = this.text(defaultType);
    this.values = types.map((span) => this.valueType(span));
    const names = new Map(functions.map((span) => this.functionName(span)));
    for (const span of locations) this.stacks.set(...this.location(span, names));
  }

  samples(): readonly ProfileSample[] {
    return this.sampleSpans.map((span) => {
      const locationIds: number[] = [];
      const values: number[] = [];
      this.each(span, (wire) => {
        if (wire.field === 1) numbersOf(wire, locationIds);
        else if (wire.field === 2) numbersOf(wire, values);
      });
      if (values.length !== this.values.length) throw new InvalidProfile('a sample has the wrong number of values');
      return { stack: locationIds.flatMap((id) => this.stacks.get(id) ?? ['(unknown)']), values };
    });
  }

  private valueType(span: Span): ValueType {
    const [type, unit] = this.numbers(span, 1, 2);
    return { type: this.text(type), unit: this.text(unit) };
  }

  private functionName(span: Span): [number, string] {
    const [id, name] = this.numbers(span, 1, 2);
    return [id, this.text(name)];
  }

  private location(span: Span, names: ReadonlyMap<number, string>): [number, readonly string[]] {
    let id = 0;
    let address = 0;
    const lines: string[] = [];
    this.each(span, (wire) => {
      if (wire.field === 1) id = wire.value;
      else if (wire.field === 3) address = wire.value;
      else if (wire.field === 4) lines.push(names.get(this.numbers([wire.from, wire.to], 1)[0]) ?? '(unknown)');
    });
    return [id, lines.length > 0 ? lines : [`0x${address.toString(16)}`]];
  }

  /** Returns numbers by their fields; 0 if missing. */
  private numbers(span: Span, ...fields: readonly number[]): [number, number] {
    const found: [number, number] = [0, 0];
    this.each(span, (wire) => {
      const index = fields.indexOf(wire.field);
      if (index >= 0) found[index as 0 | 1] = wire.value;
    });
    return found;
  }

  private text(index: number): string {
    return this.texts[index] ?? '';
  }

  private each([from, to]: Span, visit: (wire: ProtobufReader) => void): void {
    const wire = new ProtobufReader();
    wire.open(this.bytes, from, to);
    while (wire.next()) visit(wire);
    if (wire.broken) throw new InvalidProfile('it is truncated or not a pprof profile');
  }
}

/** Appends repeated numbers, which may be packed into one field. */
function numbersOf(wire: ProtobufReader, into: number[]): void {
  if (wire.type === 0) {
    into.push(wire.value);
    return;
  }
  const packed = new ProtobufReader();
  packed.open(wire.bytes, wire.from, wire.to);
  while (packed.at < packed.end && !packed.broken) into.push(packed.varint());
}
