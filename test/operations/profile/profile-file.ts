/** Writes pprof profiles for tests. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, content: readonly number[]): number[] => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
];

/** Sample: functions, innermost first, and one number per value type. */
export type WrittenSample = readonly [stack: readonly string[], values: readonly number[]];

/** Returns a profile with these values; the frame `a+b` stands for `a` inlined into `b`. */
export function profileFile(
  values: readonly (readonly [type: string, unit: string])[],
  samples: readonly WrittenSample[],
  isPacked = true,
): Uint8Array {
  const texts = [''];
  const text = (one: string): number => {
    if (!texts.includes(one)) texts.push(one);
    return texts.indexOf(one);
  };
  const functions: string[] = [];
  const functionOf = (name: string): number => {
    if (!functions.includes(name)) functions.push(name);
    return functions.indexOf(name) + 1;
  };
  const locationNames: string[] = [];
  const locationId = (name: string): number => {
    if (!locationNames.includes(name)) locationNames.push(name);
    return locationNames.indexOf(name) + 1;
  };
  const list = (field: number, all: readonly number[]): number[] =>
    isPacked ? bytes(field, all.flatMap(varint)) : all.flatMap((one) => number(field, one));
  const types = values.flatMap(([type, unit]) => bytes(1, [...number(1, text(type)), ...number(2, text(unit))]));
  const written = samples.flatMap(([stack, counts]) =>
    bytes(2, [...list(1, stack.map(locationId)), ...list(2, counts)]),
  );
  const locations = locationNames.flatMap((name, index) =>
    bytes(4, [...number(1, index + 1), ...name.split('+').flatMap((name) => bytes(4, number(1, functionOf(name))))]),
  );
  const named = functions.flatMap((name, index) => bytes(5, [...number(1, index + 1), ...number(2, text(name))]));
  const strings = texts.flatMap((one) => bytes(6, [...Buffer.from(one, 'utf8')]));
  return Uint8Array.from([...types, ...written, ...locations, ...named, ...strings]);
}
