import { type FieldPath } from '../problem';
import { isPositiveSize, positiveSize } from './positive-size';
import { jobsOfSetRules } from './replicated-job-rules';
import { type ValidationRule } from './validation-rule';

type Self = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, string>>;

/** Fields that the rules read, after parsing. */
interface JobSetSpec {
  readonly shards: number;
  readonly successPolicy?: { readonly shards?: readonly number[]; readonly count?: number };
  readonly overrides?: readonly Override[];
  readonly configTemplates?: readonly { readonly name: string; readonly mountPath: string; readonly data: Files }[];
  readonly volumeClaimTemplates?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly config?: { readonly files?: Files };
  readonly template?: { readonly spec: { readonly volumes?: readonly { readonly name: string }[] } };
}

interface Override {
  readonly shards: readonly number[];
  readonly config?: Readonly<Record<string, Files>>;
  readonly claimSizes?: Readonly<Record<string, string>>;
}

/** Maximum size of the values of a ConfigMap in bytes: `MaxSecretSize` of Kubernetes. */
const largestConfig = 1_048_576;

const specOf = (self: Self) => self as unknown as JobSetSpec;
const inOverrides = (self: Self, find: (override: Override) => readonly FieldPath[]): FieldPath[] =>
  (specOf(self).overrides ?? []).flatMap((override, at) => find(override).map((path) => ['overrides', at, ...path]));
const indexesBeyond = (indexes: readonly number[], shards: number): FieldPath[] =>
  indexes.flatMap((index, at) => (index < shards ? [] : [[at]]));

/** Rules across the shards of a Job and its success policy. */
export const shardRules: readonly ValidationRule[] = [
  {
    name: 'shards-in-success',
    cel: '!has(self.successPolicy) || !has(self.successPolicy.shards) || self.successPolicy.shards.all(s, s < self.shards)',
    fieldPath: ['successPolicy', 'shards'],
    find: (self) => {
      const { successPolicy, shards } = specOf(self);
      return indexesBeyond(successPolicy?.shards ?? [], shards).map((path) => ['successPolicy', 'shards', ...path]);
    },
    reason: 'is not the index of a shard',
    remedy: 'use indexes below shards',
    code: 'unknown-reference',
  },
  {
    name: 'parallelism-within-shards',
    cel: '!has(self.parallelism) || self.parallelism <= self.shards',
    severity: 'warning',
    find: ({ parallelism, shards }) =>
      typeof parallelism === 'number' && parallelism > Number(shards)
        ? [
            {
              path: ['parallelism'],
              value: parallelism,
              reason: `is more than the number of shards (${Number(shards)})`,
            },
          ]
        : [],
    reason: 'is more than the number of shards',
    remedy: 'lower it, raise shards, or omit it to run all shards at once',
    code: 'invalid-combination',
  },
  {
    name: 'success-count',
    cel: '!has(self.successPolicy) || !has(self.successPolicy.count) || (has(self.successPolicy.shards) ? self.successPolicy.count <= size(self.successPolicy.shards) : self.successPolicy.count <= self.shards)',
    fieldPath: ['successPolicy', 'count'],
    find: (self) => {
      const { successPolicy, shards } = specOf(self);
      const most = successPolicy?.shards?.length ?? shards;
      return (successPolicy?.count ?? 0) > most ? [['successPolicy', 'count']] : [];
    },
    reason: 'must not exceed the number of shards',
    remedy: 'lower the count',
    code: 'invalid-combination',
  },
  {
    name: 'success-count-distinct',
    // Each shard adds up to 1 in total; half a shard exceeds rounding errors.
    cel: '!has(self.successPolicy) || !has(self.successPolicy.count) || !has(self.successPolicy.shards) || self.successPolicy.count > size(self.successPolicy.shards) || double(self.successPolicy.count) < 0.5 + self.successPolicy.shards.map(s, 1.0 / double(size(self.successPolicy.shards.filter(t, t == s)))).sum()',
    where: 'client',
    find: (self) => {
      const { shards, count = 0 } = specOf(self).successPolicy ?? {};
      return shards && count <= shards.length && count > new Set(shards).size ? [['successPolicy', 'count']] : [];
    },
    reason: 'must not exceed the number of distinct shards',
    remedy: 'list each shard once, or lower the count',
    code: 'invalid-combination',
  },
];

/** Rules across the fields of a job set. */
export const jobSetRules: readonly ValidationRule[] = [
  ...shardRules,
  ...jobsOfSetRules,
  {
    name: 'shards-in-overrides',
    cel: '!has(self.overrides) || self.overrides.all(o, o.shards.all(s, s < self.shards))',
    fieldPath: ['overrides'],
    find: (self) =>
      inOverrides(self, ({ shards }) => indexesBeyond(shards, specOf(self).shards).map((path) => ['shards', ...path])),
    reason: 'is not the index of a shard',
    remedy: 'use indexes below shards',
    code: 'unknown-reference',
  },
  {
    name: 'max-failed-shards',
    cel: '!has(self.failurePolicy) || !has(self.failurePolicy.maxFailedShards) || self.failurePolicy.maxFailedShards <= self.shards',
    fieldPath: ['failurePolicy', 'maxFailedShards'],
    reason: 'must not exceed the number of shards',
    remedy: 'use at most the number of shards, or omit it',
    code: 'invalid-combination',
  },
  {
    name: 'override-config-known',
    cel: '!has(self.overrides) || self.overrides.all(o, !has(o.config) || (has(self.configTemplates) && o.config.all(n, self.configTemplates.exists(t, t.name == n))))',
    find: (self) => inOverrides(self, ({ config }) => unknownNames('config', config, specOf(self).configTemplates)),
    reason: 'must be the name of a config template',
    remedy: 'use the name of one of configTemplates',
    code: 'unknown-reference',
    where: 'client',
  },
  {
    name: 'override-claim-known',
    cel: '!has(self.overrides) || self.overrides.all(o, !has(o.claimSizes) || (has(self.volumeClaimTemplates) && o.claimSizes.all(n, self.volumeClaimTemplates.exists(t, t.name == n))))',
    find: (self) =>
      inOverrides(self, ({ claimSizes }) => unknownNames('claimSizes', claimSizes, specOf(self).volumeClaimTemplates)),
    reason: 'must be the name of a claim template',
    remedy: 'use the name of one of volumeClaimTemplates',
    code: 'unknown-reference',
    where: 'client',
  },
  {
    name: 'override-claim-size',
    cel: '!has(self.overrides) || self.overrides.all(o, !has(o.claimSizes) || o.claimSizes.all(n, quantity(string(o.claimSizes[n])).isGreaterThan(quantity("0"))))',
    where: 'client',
    find: (self) =>
      inOverrides(self, ({ claimSizes = {} }) =>
        Object.entries(claimSizes).flatMap(([name, size]): FieldPath[] =>
          isPositiveSize(size) ? [] : [['claimSizes', name]],
        ),
      ),
    ...positiveSize,
  },
  {
    name: 'shard-volumes-differ',
    cel: '!has(self.volumeClaimTemplates) || self.volumeClaimTemplates.all(c, !(has(self.configTemplates) && self.configTemplates.exists(t, t.name == c.name)) && !(has(self.template) && has(self.template.spec.volumes) && self.template.spec.volumes.exists(v, v.name == c.name)))',
    find: (self) =>
      duplicateTemplates(
        self,
        ({ name }) => name,
        'name',
        (specOf(self).template?.spec.volumes ?? []).map(({ name }) => name),
      ),
    reason: 'duplicates another volume of the pod',
    remedy: 'use unique volume names',
    code: 'duplicate',
    where: 'client',
  },
  {
    name: 'shard-mounts-differ',
    cel: '!has(self.volumeClaimTemplates) || self.volumeClaimTemplates.all(c, !(has(self.configTemplates) && self.configTemplates.exists(t, t.mountPath == c.mountPath)))',
    find: (self) =>
      duplicateTemplates(
        self,
        ({ mountPath }) => mountPath,
        'mountPath',
        Object.keys(specOf(self).config?.files ?? {}),
      ),
    reason: 'duplicates another mount path',
    remedy: 'use unique mount paths',
    code: 'duplicate',
    where: 'client',
  },
  {
    name: 'shard-config-size',
    cel: '!has(self.configTemplates) || self.configTemplates.all(t, t.data.map(f, size(t.data[f])).sum() <= 1048576)',
    find: oversized,
    reason: 'must not exceed 1 MiB, the limit of a ConfigMap',
    remedy: 'put large files into the image or a volume',
    code: 'out-of-range',
    where: 'client',
  },
];

const unknownNames = (
  field: string,
  values: Readonly<Record<string, unknown>> | undefined,
  templates: readonly { readonly name: string }[] | undefined,
): FieldPath[] =>
  Object.keys(values ?? {})
    .filter((name) => !templates?.some((template) => template.name === name))
    .map((name) => [field, name]);

/** Returns entries of both lists of templates whose value is a duplicate. */
function duplicateTemplates(
  self: Self,
  valueOf: (template: { readonly name: string; readonly mountPath: string }) => string,
  field: string,
  before: readonly string[],
): FieldPath[] {
  const taken = new Set(before);
  const found: FieldPath[] = [];
  for (const list of ['configTemplates', 'volumeClaimTemplates'] as const) {
    (specOf(self)[list] ?? []).forEach((template, at) => {
      const value = valueOf(template);
      if (taken.has(value)) found.push([list, at, field]);
      taken.add(value);
    });
  }
  return found;
}

function oversized(self: Self): FieldPath[] {
  const { configTemplates = [] } = specOf(self);
  return [
    ...configTemplates.flatMap(({ data }, at): FieldPath[] =>
      bytesOf(data) > largestConfig ? [['configTemplates', at, 'data']] : [],
    ),
    ...inOverrides(self, ({ config }) =>
      Object.entries(config ?? {}).flatMap(([name, files]): FieldPath[] => {
        const data = configTemplates.find((template) => template.name === name)?.data ?? {};
        return bytesOf(data) <= largestConfig && bytesOf({ ...data, ...files }) > largestConfig
          ? [['config', name]]
          : [];
      }),
    ),
  ];
}

function bytesOf(files: Files): number {
  const encoder = new TextEncoder();
  return Object.values(files).reduce((sum, text) => sum + encoder.encode(text).length, 0);
}
