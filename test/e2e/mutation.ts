import { type ManifestInput } from '../../lib/api';

/** Manifest with one random change, which most schemas reject. */
export interface Mutation {
  readonly input: ManifestInput;
  /** Description of the change, for messages. */
  readonly change: string;
}

type Holder = Record<string | number, unknown>;

interface FieldLocation {
  readonly holder: Holder;
  readonly key: string | number;
  readonly path: string;
}

/** Changes one field at or under spec, chosen by three numbers: other type, out of range, removed, or unknown. */
export function mutate(input: ManifestInput, locationIndex: number, changeIndex: number, valueIndex: number): Mutation {
  // A structured clone inside a test has arrays of another realm, which CEL does not recognize.
  const copy = JSON.parse(JSON.stringify(input)) as Holder;
  const locations = locationsIn(copy, 'spec', 'spec');
  const location = locations[locationIndex % locations.length] as FieldLocation;
  const changes = [changeType, changeSize, remove, addUnknownField];
  const change = (changes[changeIndex % changes.length] as Change)(location, valueIndex);
  return { input: copy as unknown as ManifestInput, change: `${location.path}: ${change}` };
}

function locationsIn(holder: Holder, key: string | number, path: string): FieldLocation[] {
  const value = holder[key];
  const nested =
    typeof value === 'object' && value !== null
      ? Object.keys(value).flatMap((name) => locationsIn(value as Holder, name, `${path}.${name}`))
      : [];
  return [{ holder, key, path }, ...nested];
}

type Change = (location: FieldLocation, valueIndex: number) => string;

// Without entries: the server checks for unknown fields first and would report nested ones.
const sampleValues = [7, 1.5, true, 'text', [], ['a'], {}] as const;

const changeType: Change = ({ holder, key }, valueIndex) => {
  const others = sampleValues.filter((value) => typeOf(value) !== typeOf(holder[key]));
  return set(holder, key, others[valueIndex % others.length]);
};

const numbers = [-1, 0, 100_000, 2 ** 31, 2 ** 53 - 1];
const texts = ['', 'x'.repeat(300), 'Not Valid', 'a/b', '-a', 'ü', '1.5', '10%', '5m', '0', 'Always'];

const changeSize: Change = (location, valueIndex) => {
  const { holder, key } = location;
  const value = holder[key];
  if (typeof value === 'number') return set(holder, key, numbers[valueIndex % numbers.length]);
  if (typeof value === 'string') return set(holder, key, texts[valueIndex % texts.length]);
  if (typeof value === 'boolean') return set(holder, key, 'true');
  if (Array.isArray(value) && value.length === 0) return changeType(location, valueIndex);
  if (Array.isArray(value))
    return set(
      holder,
      key,
      Array.from({ length: [0, 2, 1100][valueIndex % 3] ?? 0 }, () => value[0]),
    );
  const members = Object.values(value as object) as unknown[];
  // Only a map can have too many entries; for an object with fixed fields a few unknown ones suffice.
  const length = members.every((member) => typeof member === 'string') ? 600 : 3;
  const many = Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, members[0] ?? 'a']));
  return set(holder, key, { ...(value as object), ...many });
};

const remove: Change = ({ holder, key }) => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return 'removed';
};

const addUnknownField: Change = (location, valueIndex) => {
  const { holder, key } = location;
  const value = holder[key];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return changeType(location, valueIndex);
  (value as Holder)['unknownField'] = sampleValues[valueIndex % sampleValues.length];
  return `unknownField = ${JSON.stringify(sampleValues[valueIndex % sampleValues.length])}`;
};

function set(holder: Holder, key: string | number, value: unknown): string {
  holder[key] = value;
  return JSON.stringify(value).slice(0, 40);
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);
