import { type Container, type EnvVar, type Spec, type Volume, type VolumeMount, type Workload } from '../../../api';
import { derivedName } from '../../objects/name';

type Override = NonNullable<Spec<'PinterestJobSet'>['overrides']>[number];

/** Maximum length of a set's name: with a dash and an index below 10,000, it must fit into the 63 characters of a host name. */
const maxSetNameLength = 58;

/** Returns the name of a job set's Job or Jobs and of its headless Service; it does not depend on the number of shards. */
export const setName = (workload: Workload): string => derivedName([workload.metadata.name], maxSetNameLength);

/** Returns the name of a shard: its host name, and that of its Job if shards have separate Jobs. */
export const shardName = (workload: Workload, index: number): string => `${setName(workload)}-${index}`;

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
export function shardWorkload(
  workload: Workload<'PinterestJobSet'>,
  settings: ShardSettings,
): Workload<'PinterestJobSet'> {
  const { config, template } = workload.spec;
  const common = config?.env ?? {};
  const isCommonVariable = (name: string) => Object.hasOwn(common, name);
  const replaced = Object.fromEntries(Object.entries(settings.env).filter(([name]) => isCommonVariable(name)));
  const forContainer = (container: Container): Container => {
    const declares = (name: string) => container.env?.some((variable) => variable.name === name) ?? false;
    const values = Object.entries(settings.env).filter(([name]) => !isCommonVariable(name) || declares(name));
    return withVariables(container, Object.fromEntries(values));
  };
  const { initContainers, containers } = template.spec;
  const pod = {
    ...template.spec,
    ...(initContainers && { initContainers: initContainers.map(forContainer) }),
    containers: containers.map((container, at) =>
      at === 0 ? firstContainer(forContainer(container), settings) : forContainer(container),
    ),
  };
  return {
    ...workload,
    spec: {
      ...workload.spec,
      ...(config?.env && { config: { ...config, env: { ...common, ...replaced } } }),
      template: { ...template, spec: pod },
    },
  };
}

/**
 * Sets variables. Replaced variables keep their position, so that later ones can refer to them; new variables are
 * appended and can refer to all others.
 */
function withVariables(container: Container, values: Readonly<Record<string, string>>): Container {
  const names = Object.keys(values).sort();
  if (names.length === 0) return container;
  const ownVariables = container.env ?? [];
  const replaced = ownVariables.map((variable): EnvVar =>
    Object.hasOwn(values, variable.name) ? { name: variable.name, value: values[variable.name] ?? '' } : variable,
  );
  const added = names
    .filter((name) => !ownVariables.some((variable) => variable.name === name))
    .map((name) => ({ name, value: values[name] ?? '' }));
  return { ...container, env: [...replaced, ...added] };
}

function firstContainer(container: Container, { args, resources }: ShardSettings): Container {
  return {
    ...container,
    ...(args && { args: [...args] }),
    ...(resources && { resources: { ...container.resources, ...mergeResources(container.resources, resources) } }),
  };
}

/**
 * Merges the resources of a shard with those of the template. A resource that the shard sets replaces both the request
 * and the limit of the template, so that no limit is below its request.
 */
function mergeResources(templateResources: Container['resources'], shardResources: NonNullable<Override['resources']>) {
  const names = new Set([...Object.keys(shardResources.requests ?? {}), ...Object.keys(shardResources.limits ?? {})]);
  const unreplaced = (amounts: Readonly<Record<string, string | number>> | undefined) =>
    Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => !names.has(name)));
  return {
    requests: { ...unreplaced(templateResources?.requests), ...shardResources.requests },
    limits: { ...unreplaced(templateResources?.limits), ...shardResources.limits },
  };
}

/** Volume of one shard, and its backing object. */
export interface ShardVolume<T> {
  readonly object: T;
  readonly volume: Volume;
  readonly mount: VolumeMount;
}
