import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { type StackFrame, type SampledStack } from './sampled-stacks';

/** A type of value and its unit, such as `cpu` in `nanoseconds`. */
export type ProfileValueType = readonly [type: string, unit: string];

/** Contents of a profile. */
export interface ProfileContents {
  /** Types of the values of each stack; the last is the default of readers. */
  readonly values: readonly ProfileValueType[];
  readonly stacks: readonly SampledStack[];
  /** Interval between two samples, in the unit of the last value. */
  readonly period: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Milliseconds; 0 for a snapshot. */
  readonly duration: number;
}

/**
 * Encodes a profile for pprof (profile.proto), compressed with gzip.
 *
 * Field numbers: https://github.com/google/pprof/blob/main/proto/profile.proto.
 */
export const profileFile = (contents: ProfileContents): Promise<Uint8Array> => promisify(gzip)(encoded(contents));

function encoded({ values, stacks, period, time, duration }: ProfileContents): Uint8Array {
  const file = new Message();
  const texts = new Numbers<string>();
  // The first string must be empty.
  texts.of('', '');
  const text = (one: string): number => texts.of(one, one);
  const places = new Numbers<StackFrame>();
  const typeOf = ([type, unit]: ProfileValueType): Message => new Message().number(1, text(type)).number(2, text(unit));
  for (const value of values) file.message(1, typeOf(value));
  for (const { stack, counts } of stacks) {
    const ids = stack.map((place) => places.of(`${place.name}\n${place.file}\n${place.line}`, place) + 1);
    file.message(2, new Message().list(1, ids).list(2, counts));
  }
  // Names are included, so that readers do not look for a binary.
  file.message(3, new Message().number(1, 1).number(7, 1));
  places.all.forEach(({ name, file: script, line }, index) => {
    const id = index + 1;
    file.message(4, new Message().number(1, id).number(2, 1).message(4, new Message().number(1, id).number(2, line)));
    file.message(5, new Message().number(1, id).number(2, text(name)).number(4, text(script)).number(5, line));
  });
  const usual = values.at(-1) ?? ['', ''];
  file.number(9, nanoseconds(time)).number(10, nanoseconds(duration));
  file.message(11, typeOf(usual)).number(12, period).number(14, text(usual[0]));
  for (const one of texts.all) file.bytes(6, Buffer.from(one, 'utf8'));
  return file.whole();
}

/** Converts to nanoseconds; a time of day in nanoseconds exceeds safe integers. */
const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000)) * 1000n;

/** Numbers values in the order of their first use. */
class Numbers<Thing> {
  readonly all: Thing[] = [];
  readonly #known = new Map<string, number>();

  of(key: string, thing: Thing): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.all.length);
    return this.all.push(thing) - 1;
  }
}

/** Encoder of a protobuf message. */
class Message {
  readonly #bytes: number[] = [];

  number(field: number, value: number | bigint): this {
    this.varint(field * 8);
    return this.varint(value);
  }

  list(field: number, values: readonly number[]): this {
    const packed = new Message();
    for (const value of values) packed.varint(value);
    return this.message(field, packed);
  }

  message(field: number, message: Message): this {
    return this.bytes(field, message.#bytes);
  }

  bytes(field: number, content: Uint8Array | readonly number[]): this {
    this.varint(field * 8 + 2).varint(content.length);
    for (const byte of content) this.#bytes.push(byte);
    return this;
  }

  whole(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  private varint(value: number | bigint): this {
    let rest = value;
    if (typeof rest === 'bigint') {
      for (; rest > 0x7fffffffn; rest >>= 7n) this.#bytes.push(Number(rest & 0x7fn) | 0x80);
      rest = Number(rest);
    }
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes.push((rest % 0x80) + 0x80);
    this.#bytes.push(rest);
    return this;
  }
}
