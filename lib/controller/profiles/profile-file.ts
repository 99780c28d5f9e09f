import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { type StackFrame, type SampledStack } from './sampled-stacks';

/** A sample type and its unit, such as `cpu` in `nanoseconds`. */
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
export const profileFile = (contents: ProfileContents): Promise<Uint8Array> => promisify(gzip)(encode(contents));

function encode({ values, stacks, period, time, duration }: ProfileContents): Uint8Array {
  const file = new Message();
  const strings = new InternTable<string>();
  // The first string must be empty.
  strings.of('', '');
  const stringId = (text: string): number => strings.of(text, text);
  const locations = new InternTable<StackFrame>();
  const typeOf = ([type, unit]: ProfileValueType): Message =>
    new Message().number(1, stringId(type)).number(2, stringId(unit));
  for (const value of values) file.message(1, typeOf(value));
  for (const { stack, counts } of stacks) {
    const ids = stack.map((frame) => locations.of(`${frame.name}\n${frame.file}\n${frame.line}`, frame) + 1);
    file.message(2, new Message().list(1, ids).list(2, counts));
  }
  // Names are included, so readers do not look for a binary.
  file.message(3, new Message().number(1, 1).number(7, 1));
  locations.all.forEach(({ name, file: script, line }, index) => {
    const id = index + 1;
    file.message(4, new Message().number(1, id).number(2, 1).message(4, new Message().number(1, id).number(2, line)));
    file.message(5, new Message().number(1, id).number(2, stringId(name)).number(4, stringId(script)).number(5, line));
  });
  const defaultType = values.at(-1) ?? ['', ''];
  file.number(9, nanoseconds(time)).number(10, nanoseconds(duration));
  file.message(11, typeOf(defaultType)).number(12, period).number(14, stringId(defaultType[0]));
  for (const text of strings.all) file.bytes(6, Buffer.from(text, 'utf8'));
  return file.toBytes();
}

/** Converts to nanoseconds; a time of day in nanoseconds exceeds safe integers. */
const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000)) * 1000n;

/** Table of values, numbered in the order of their first use. */
class InternTable<T> {
  readonly all: T[] = [];
  readonly #ids = new Map<string, number>();

  of(key: string, value: T): number {
    const id = this.#ids.get(key);
    if (id !== undefined) return id;
    this.#ids.set(key, this.all.length);
    return this.all.push(value) - 1;
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

  toBytes(): Uint8Array {
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
