import { parseDuration } from '../values/duration';
import { environmentPrefix, group, recommended } from '../names';
import { type FieldPath } from '../problem';
import { type ValidationRule } from './validation-rule';

type Fields = Readonly<Record<string, unknown>>;

const platformLabels: readonly string[] = Object.values(recommended);
/** Most that a ConfigMap of Kubernetes holds, in bytes. */
const configMapBytes = 1_048_576;

/** True for a label or annotation key that only the platform sets. */
export const isPlatformKey = (key: string): boolean =>
  platformLabels.includes(key) || key.startsWith(`${group}/`) || /^[^/]+\.pinterest\.com\//.test(key);

/** Labels and annotations that the platform sets are not a person's to set. */
export const platformKeyRules: readonly ValidationRule[] = [
  {
    name: 'platform-key',
    cel: `self.all(k, !k.startsWith("${group}/"))`,
    where: 'client',
    find: (self) => Object.keys(self).flatMap((key) => (isPlatformKey(key) ? [[key]] : [])),
    reason: 'is set by the platform',
    remedy: 'use a key of your own, or say it by spec.team, spec.version, spec.tier, spec.costCenter or spec.links',
    code: 'platform-owned',
  },
];

/** Variables that the platform sets are not a person's to set. */
export const platformVariableRules: readonly ValidationRule[] = [
  {
    name: 'platform-variable',
    cel: `self.all(k, !k.startsWith("${environmentPrefix}"))`,
    where: 'client',
    find: (self) => Object.keys(self).flatMap((name) => (name.startsWith(environmentPrefix) ? [[name]] : [])),
    reason: `starts with "${environmentPrefix}", which names what the platform sets`,
    remedy: 'choose another name',
    code: 'platform-owned',
  },
];

/** Files are kept in one ConfigMap, which has a bound. */
export const configFileRules: readonly ValidationRule[] = [
  {
    name: 'config-size',
    cel: 'true',
    where: 'client',
    find: (self) => (bytesOf(self) > configMapBytes ? [[]] : []),
    reason: 'holds more than 1 MiB, which is all that a ConfigMap takes',
    remedy: 'put large files into the image or a volume',
    code: 'out-of-range',
  },
];

/** A drain is part of the grace period. */
export const drainRules: readonly ValidationRule[] = [
  {
    name: 'drain-within-grace',
    cel: 'true',
    where: 'client',
    find: ({ drain, gracePeriod }) =>
      drain === undefined || millisOf(drain) === 0 || millisOf(drain) < millisOf(gracePeriod) ? [] : [['drain']],
    reason: 'leaves nothing of the grace period for the end itself',
    remedy: 'give a shorter drain, or a longer gracePeriod',
  },
];

/** Rules across the fields that all workload kinds share. */
export const workloadRules: readonly ValidationRule[] = [
  {
    name: 'variable-twice',
    cel: 'true',
    where: 'client',
    find: (self) => shared(self, 'env').map((name) => ['secrets', 'env', name]),
    reason: 'is a variable of config.env as well',
    remedy: 'give it in one of the two',
    code: 'duplicate',
  },
  {
    name: 'file-twice',
    cel: 'true',
    where: 'client',
    find: (self) => shared(self, 'files').map((path) => ['secrets', 'files', path]),
    reason: 'is a file of config.files as well',
    remedy: 'choose another path for one of the two',
    code: 'duplicate',
  },
];

function shared(self: Fields, field: 'env' | 'files'): string[] {
  const of = (name: string) => ((self[name] as Fields | undefined)?.[field] ?? {}) as Fields;
  const plain = of('config');
  return Object.keys(of('secrets')).filter((name) => Object.hasOwn(plain, name));
}

const bytesOf = (files: Fields): number =>
  Object.entries(files).reduce((sum, [path, text]) => sum + utf8Length(path) + utf8Length(String(text)), 0);

const encoder = new TextEncoder();
const utf8Length = (text: string): number => encoder.encode(text).length;

/** Milliseconds of a completed duration; 0 for what is none. */
export const millisOf = (value: unknown): number =>
  typeof value === 'string' ? (parseDuration(value)?.millis ?? 0) : 0;

/** Places of durations, each the same field of some objects, that are longer than so many seconds. */
export const overlong = (self: Fields, seconds: number, objects: readonly string[], field: string): FieldPath[] =>
  objects.flatMap((name) =>
    millisOf((self[name] as Fields | undefined)?.[field]) > seconds * 1000 ? [[name, field]] : [],
  );
