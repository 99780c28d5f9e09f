import { parseDuration } from '../values/duration';
import { environmentPrefix, group, recommended } from '../names';
import { type FieldPath } from '../problem';
import { secretRules } from './secret-rules';
import { unitRules } from './unit-rules';
import { entriesAt } from '../values/value-at';
import { type RuleViolation, type ValidationRule } from './validation-rule';

type Fields = Readonly<Record<string, unknown>>;

const platformLabels: readonly string[] = Object.values(recommended);
/** Maximum size of a ConfigMap's values, in bytes. */
const configMapBytes = 1_048_576;

/** Returns whether a label or annotation key is reserved for the platform. */
export const isPlatformKey = (key: string): boolean =>
  platformLabels.includes(key) || key.startsWith(`${group}/`) || /^[^/]+\.pinterest\.com\//.test(key);

/** Rejects labels and annotations that the platform sets. */
export const platformKeyRules: readonly ValidationRule[] = [
  {
    name: 'platform-key',
    cel: `self.all(k, !k.startsWith("${group}/"))`,
    where: 'client',
    find: (self) => Object.keys(self).flatMap((key) => (isPlatformKey(key) ? [[key]] : [])),
    reason: 'is set by the platform',
    remedy: 'use another key, or set spec.team, spec.version, spec.tier, spec.costCenter or spec.links',
    code: 'platform-owned',
  },
];

/** Rejects environment variables that the platform sets. */
export const platformVariableRules: readonly ValidationRule[] = [
  {
    name: 'platform-variable',
    cel: `self.all(k, !k.startsWith("${environmentPrefix}"))`,
    where: 'client',
    find: (self) => Object.keys(self).flatMap((name) => (name.startsWith(environmentPrefix) ? [[name]] : [])),
    reason: `starts with "${environmentPrefix}", which is reserved for the platform`,
    remedy: 'use another name',
    code: 'platform-owned',
  },
];

/** Requires that files fit into one ConfigMap. */
export const configFileRules: readonly ValidationRule[] = [
  {
    name: 'config-size',
    cel: 'true',
    where: 'client',
    find: (self) => (bytesOf(self) > configMapBytes ? [[]] : []),
    reason: 'must not exceed 1 MiB, the limit of a ConfigMap',
    remedy: 'put large files into the image or a volume',
    code: 'out-of-range',
  },
];

/** Requires that a drain fits into the grace period. */
export const drainRules: readonly ValidationRule[] = [
  {
    name: 'drain-within-grace',
    cel: 'true',
    where: 'client',
    find: ({ drain, gracePeriod }) =>
      drain === undefined || millisOf(drain) === 0 || millisOf(drain) < millisOf(gracePeriod) ? [] : [['drain']],
    reason: 'must be shorter than the grace period',
    remedy: 'use a shorter drain, or a longer gracePeriod',
  },
];

/** Rules across `config` and `secrets`. */
const configRules: readonly ValidationRule[] = [
  {
    name: 'variable-twice',
    cel: 'true',
    where: 'client',
    reads: ['config', 'secrets'],
    find: (self) => shared(self, 'env').map((name) => ['secrets', 'env', name]),
    reason: 'duplicates a variable of config.env',
    remedy: 'set it in one of them',
    code: 'duplicate',
  },
  {
    name: 'file-twice',
    cel: 'true',
    where: 'client',
    reads: ['config', 'secrets'],
    find: (self) => shared(self, 'files').map((path) => ['secrets', 'files', path]),
    reason: 'duplicates a file of config.files',
    remedy: 'use another path for one of them',
    code: 'duplicate',
  },
];

/**
 * Returns the rules across the fields that all workload kinds share. `volumes` are the fields of the kind whose volumes its
 * containers mount.
 */
export const workloadRulesOf = (volumes: readonly string[] = []): readonly ValidationRule[] => [
  ...configRules,
  fileInSecret(volumes),
  ...secretRules,
  ...unitRules,
];

/**
 * Returns the rule that rejects files in the folder of a Secret. Where a volume may be mounted in between, in which a file
 * can be, `file-in-volume` judges the mounts of each container.
 */
function fileInSecret(volumes: readonly string[]): ValidationRule {
  const hasMounts = [
    '!has(self.template)',
    'self.template.spec.containers.exists(c, has(c.volumeMounts))',
    ...volumes.map((field) => `has(self.${field})`),
  ].join(' || ');
  return {
    name: 'file-in-secret',
    cel: `!has(self.config) || !has(self.config.files) || !has(self.secrets) || !has(self.secrets.files) || ${hasMounts} || self.config.files.all(f, !self.secrets.files.exists(s, f.startsWith(s + "/")))`,
    fieldPath: ['config', 'files'],
    reads: ['config', 'secrets', ...volumes],
    find: (self) => (mayMountBetween(self, volumes) ? [] : filesInSecrets(self)),
    reason: 'must not be in a folder where a Secret is mounted, because containers could not start',
    remedy: 'choose paths outside of spec.secrets.files',
  };
}

const mayMountBetween = (self: Fields, volumes: readonly string[]): boolean =>
  self['template'] === undefined ||
  entriesAt(self, 'template', 'spec', 'containers').some(({ volumeMounts }) => volumeMounts !== undefined) ||
  volumes.some((field) => self[field] !== undefined);

const filesInSecrets = (self: Fields): readonly RuleViolation[] =>
  Object.keys(filesOf(self, 'config')).flatMap((file) => {
    const folder = Object.keys(filesOf(self, 'secrets')).find((path) => file.startsWith(`${path}/`));
    if (folder === undefined) return [];
    const reason = `is in ${folder}, where a Secret is mounted, so that containers cannot start`;
    return { path: ['config', 'files', file], reason, remedy: `choose a path outside of ${folder}` };
  });

const filesOf = (self: Fields, field: 'config' | 'secrets'): Fields =>
  ((self[field] as Fields | undefined)?.['files'] ?? {}) as Fields;

function shared(self: Fields, field: 'env' | 'files'): string[] {
  const of = (name: string) => ((self[name] as Fields | undefined)?.[field] ?? {}) as Fields;
  const plain = of('config');
  return Object.keys(of('secrets')).filter((name) => Object.hasOwn(plain, name));
}

const bytesOf = (files: Fields): number =>
  Object.entries(files).reduce((sum, [path, text]) => sum + utf8Length(path) + utf8Length(String(text)), 0);

const encoder = new TextEncoder();
const utf8Length = (text: string): number => encoder.encode(text).length;

/** Returns the milliseconds of a parsed duration; 0 if it is invalid. */
export const millisOf = (value: unknown): number =>
  typeof value === 'string' ? (parseDuration(value)?.millis ?? 0) : 0;

/** Returns the paths of durations, each in the same field of some objects, that exceed a number of seconds. */
export const overlong = (self: Fields, seconds: number, objects: readonly string[], field: string): FieldPath[] =>
  objects.flatMap((name) =>
    millisOf((self[name] as Fields | undefined)?.[field]) > seconds * 1000 ? [[name, field]] : [],
  );
