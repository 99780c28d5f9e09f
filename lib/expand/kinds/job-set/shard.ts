import { type PodTemplate, type Spec, type Volume, type VolumeMount, type Workload } from '../../../api';
import { derivedName } from '../../objects/name';
import { withOverrides } from '../../pods/template-overrides';

/** Job set with one pod template for all shards. */
export type SingleJobSet = Workload<'PinterestJobSet'> & { readonly spec: { readonly template: PodTemplate } };

type Override = NonNullable<Spec<'PinterestJobSet'>['overrides']>[number];

/** Maximum length of a set's name: with a dash and an index below 10,000, it must fit into the 63 characters of a host name. */
const maxSetNameLength = 58;

/** Returns the name of a job set's Job or Jobs and of its headless Service; it does not depend on the number of shards. */
export const setName = (workload: Workload): string => derivedName([workload.metadata.name], maxSetNameLength);

/** Returns the name of a shard: its host name, and that of its Job if shards have separate Jobs. */
export const shardName = (workload: Workload, index: number): string => `${setName(workload)}-${index}`;

/** Returns whether a job set has one pod template, and not several jobs. */
export const hasTemplate = (workload: Workload<'PinterestJobSet'>): workload is SingleJobSet =>
  workload.spec.template !== undefined;

/** Returns whether shards differ, so that each has a separate Job instead of an index of a shared one. */
export const shardsDiffer = ({ spec }: Workload<'PinterestJobSet'>): boolean =>
  [spec.overrides, spec.configTemplates, spec.volumeClaimTemplates].some((list) => (list ?? []).length > 0);

/** Replaces `$(PINION_SHARD_INDEX)` and `$(PINION_SHARD_COUNT)` in a string; as in Kubernetes, `$$(…)` becomes `$(…)`. */
export const substituteShard = (text: string, index: number, count: number): string =>
  text.replaceAll(
    /(\$+)\((PINION_SHARD_(INDEX|COUNT))\)/g,
    (_, dollars: string, name: string, variable: 'INDEX' | 'COUNT') =>
      '$'.repeat(Math.floor(dollars.length / 2)) +
      (dollars.length % 2 === 0 ? `(${name})` : String(variable === 'INDEX' ? index : count)),
  );

/** Settings of one shard, merged from its overrides; later overrides take precedence. */
export interface ShardSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[] | undefined;
  readonly resources: Override['resources'];
  readonly config: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly claimSizes: ReadonlyMap<string, string>;
  readonly pool: string | undefined;
}

/** Merges the overrides of a job set for one shard. */
export function settingsOfShard(overrides: readonly Override[] | undefined, index: number): ShardSettings {
  let settings: ShardSettings = {
    env: {},
    args: undefined,
    resources: undefined,
    config: new Map(),
    claimSizes: new Map(),
    pool: undefined,
  };
  for (const override of overrides ?? []) {
    if (!override.shards.includes(index)) continue;
    const { args, resources, pool } = override;
    settings = {
      env: { ...settings.env, ...override.env },
      args: args ?? settings.args,
      resources: resources ?? settings.resources,
      config: mergeFiles(settings.config, override.config ?? {}),
      claimSizes: new Map([...settings.claimSizes, ...Object.entries(override.claimSizes ?? {})]),
      pool: pool ?? settings.pool,
    };
  }
  return settings;
}

function mergeFiles(earlier: ShardSettings['config'], later: NonNullable<Override['config']>): ShardSettings['config'] {
  const files = new Map(earlier);
  for (const [name, contents] of Object.entries(later)) files.set(name, { ...files.get(name), ...contents });
  return files;
}

/** Returns the workload with the variables, arguments and resources of one shard. */
export const shardWorkload = (workload: SingleJobSet, settings: ShardSettings): SingleJobSet => ({
  ...workload,
  spec: withOverrides(workload.spec, settings),
});

/** Volume of one shard, and its backing object. */
export interface ShardVolume<T> {
  readonly object: T;
  readonly volume: Volume;
  readonly mount: VolumeMount;
}
