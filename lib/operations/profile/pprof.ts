import { gunzipSync } from 'node:zlib';
import { ProtobufReader } from '../../etcd';

/** What the values of a profile count, such as `inuse_space` in `bytes`. */
export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

/** A profile as pprof has it: where a program spent its time, or who asked for its memory. */
export interface Profile {
  /** One for each value of a sample. */
  readonly values: readonly ValueType[];
  /** Type that is meant where none is asked for; the last where the file names none. */
  readonly usual: string;
  readonly samples: readonly ProfileSample[];
  /** Nanoseconds since 1970; 0 where it is not told. */
  readonly time: number;
  /** Nanoseconds that it covers; 0 where it is of a moment. */
  readonly duration: number;
}

/** Calls that were seen together. */
export interface ProfileSample {
  /** Functions, the innermost first; functions that were compiled into their callers stand by themselves. */
  readonly stack: readonly string[];
  readonly values: readonly number[];
}

/** Thrown where bytes are no profile. */
export class NoProfile extends Error {
  override readonly name = 'NoProfile' as const;
}

/** Bytes of a profile once it is unpacked; those of large API servers have some ten million. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Reads a profile of pprof (profile.proto), packed by gzip or not. Throws `NoProfile`.
 * Numbers of the fields: https://github.com/google/pprof/blob/main/proto/profile.proto.
 */
export function readProfile(bytes: Uint8Array): Profile {
  const read = new Reader(unpacked(bytes));
  const { values } = read;
  if (values.length === 0) throw new NoProfile('it says of no value what it counts');
  return {
    values,
    usual: read.usual || (values.at(-1)?.type ?? ''),
    samples: read.samples(),
    time: read.time,
    duration: read.duration,
  };
}

function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new NoProfile('it is damaged, or larger than 512 MiB', { cause });
  }
}

/** Where a message lies. */
type Span = readonly [from: number, to: number];

class Reader {
  readonly values: readonly ValueType[];
  readonly usual: string;
  time = 0;
  duration = 0;
  private readonly texts: string[] = [];
  private readonly sampleSpans: Span[] = [];
  /** Functions of each place in the program, the innermost first. */
  private readonly stacks = new Map<number, readonly string[]>();

  constructor(private readonly bytes: Uint8Array) {
    const [types, locations, functions]: [Span[], Span[], Span[]] = [[], [], []];
    let usual = 0;
    this.each([0, bytes.length], (wire) => {
      const span: Span = [wire.from, wire.to];
      if (wire.field === 1) types.push(span);
      else if (wire.field === 2) this.sampleSpans.push(span);
      else if (wire.field === 4) locations.push(span);
      else if (wire.field === 5) functions.push(span);
      else if (wire.field === 6) this.texts.push(Buffer.from(bytes.subarray(...span)).toString('utf8'));
      else if (wire.field === 9) this.time = wire.value;
      else if (wire.field === 10) this.duration = wire.value;
      else if (wire.field === 14) usual = wire.value;
    });
    this.usual = this.text(usual);
    this.values = types.map((span) => this.valueType(span));
    const names = new Map(functions.map((span) => this.functionName(span)));
    for (const span of locations) this.stacks.set(...this.location(span, names));
  }

  samples(): readonly ProfileSample[] {
    return this.sampleSpans.map((span) => {
      const places: number[] = [];
      const values: number[] = [];
      this.each(span, (wire) => {
        if (wire.field === 1) numbersOf(wire, places);
        else if (wire.field === 2) numbersOf(wire, values);
      });
      if (values.length !== this.values.length) throw new NoProfile('a sample has another number of values');
      return { stack: places.flatMap((place) => this.stacks.get(place) ?? ['(unknown)']), values };
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

  /** Numbers by their fields; 0 for what is not there. */
  private numbers(span: Span, ...fields: readonly number[]): [number, number] {
    const found: [number, number] = [0, 0];
    this.each(span, (wire) => {
      const at = fields.indexOf(wire.field);
      if (at >= 0) found[at as 0 | 1] = wire.value;
    });
    return found;
  }

  private text(index: number): string {
    return this.texts[index] ?? '';
  }

  private each([from, to]: Span, take: (wire: ProtobufReader) => void): void {
    const wire = new ProtobufReader();
    wire.open(this.bytes, from, to);
    while (wire.next()) take(wire);
    if (wire.broken) throw new NoProfile('it is no profile of pprof, or cut off');
  }
}

/** Numbers stand one by one, or packed into one field. */
function numbersOf(wire: ProtobufReader, into: number[]): void {
  if (wire.type === 0) {
    into.push(wire.value);
    return;
  }
  const packed = new ProtobufReader();
  packed.open(wire.bytes, wire.from, wire.to);
  while (packed.at < packed.end && !packed.broken) into.push(packed.varint());
}
