import { type Container, type EnvVar, type Spec, type Volume, type VolumeMount, type Workload } from '../../../api';
import { derivedName } from '../../objects/name';

type Override = NonNullable<Spec<'PinterestJobSet'>['overrides']>[number];

/** Longest name of a set: a dash and the index of the last of 10,000 shards still fit into the 63 characters of a host name. */
const longestSetName = 58;

/** Name of a job set's Job or Jobs, and of its headless Service; it does not depend on the number of shards. */
export const setName = (workload: Workload): string => derivedName([workload.metadata.name], longestSetName);

/** Name of one shard: its Job where it has one of its own, and its host name in either case. */
export const shardName = (workload: Workload, index: number): string => `${setName(workload)}-${index}`;

/** Whether shards differ, so that each has a Job of its own instead of an index of a common one. */
export const shardsDiffer = ({ spec }: Workload<'PinterestJobSet'>): boolean =>
  [spec.overrides, spec.configTemplates, spec.volumeClaimTemplates].some((list) => (list ?? []).length > 0);

/** Puts a shard's numbers where a text has `$(PINION_SHARD_INDEX)` or `$(PINION_SHARD_COUNT)`; as in Kubernetes, `$$(…)` stays as `$(…)`. */
export const filledIn = (text: string, index: number, count: number): string =>
  text.replaceAll(
    /(\$+)\((PINION_SHARD_(INDEX|COUNT))\)/g,
    (_, dollars: string, name: string, which: 'INDEX' | 'COUNT') =>
      '$'.repeat(Math.floor(dollars.length / 2)) +
      (dollars.length % 2 === 0 ? `(${name})` : String(which === 'INDEX' ? index : count)),
  );

/** What is different for one shard: everything that overrides say of it, a later one before an earlier one. */
export interface ShardChoice {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[] | undefined;
  readonly resources: Override['resources'];
  readonly config: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly claimSizes: ReadonlyMap<string, string>;
  readonly pool: string | undefined;
}

/** What the overrides of a job set say of one shard. */
export function choiceOf(overrides: readonly Override[] | undefined, index: number): ShardChoice {
  let choice: ShardChoice = {
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
    choice = {
      env: { ...choice.env, ...override.env },
      args: args ?? choice.args,
      resources: resources ?? choice.resources,
      config: mergedFiles(choice.config, override.config ?? {}),
      claimSizes: new Map([...choice.claimSizes, ...Object.entries(override.claimSizes ?? {})]),
      pool: pool ?? choice.pool,
    };
  }
  return choice;
}

function mergedFiles(earlier: ShardChoice['config'], later: NonNullable<Override['config']>): ShardChoice['config'] {
  const files = new Map(earlier);
  for (const [name, contents] of Object.entries(later)) files.set(name, { ...files.get(name), ...contents });
  return files;
}

/** The workload as one shard runs it: its variables, arguments and resources. */
export function shardWorkload(workload: Workload<'PinterestJobSet'>, choice: ShardChoice): Workload<'PinterestJobSet'> {
  const { config, template } = workload.spec;
  const common = config?.env ?? {};
  const isCommon = (name: string) => Object.hasOwn(common, name);
  const replaced = Object.fromEntries(Object.entries(choice.env).filter(([name]) => isCommon(name)));
  const forContainer = (container: Container): Container => {
    const declares = (name: string) => container.env?.some((variable) => variable.name === name) ?? false;
    const values = Object.entries(choice.env).filter(([name]) => !isCommon(name) || declares(name));
    return withVariables(container, Object.fromEntries(values));
  };
  const { initContainers, containers } = template.spec;
  const pod = {
    ...template.spec,
    ...(initContainers && { initContainers: initContainers.map(forContainer) }),
    containers: containers.map((container, at) =>
      at === 0 ? firstContainer(forContainer(container), choice) : forContainer(container),
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

/** Replaced variables keep their place, so that those after them still refer to them; new ones come last and may refer to all. */
function withVariables(container: Container, values: Readonly<Record<string, string>>): Container {
  const names = Object.keys(values).sort();
  if (names.length === 0) return container;
  const own = container.env ?? [];
  const kept = own.map((variable): EnvVar =>
    Object.hasOwn(values, variable.name) ? { name: variable.name, value: values[variable.name] ?? '' } : variable,
  );
  const added = names
    .filter((name) => !own.some((variable) => variable.name === name))
    .map((name) => ({ name, value: values[name] ?? '' }));
  return { ...container, env: [...kept, ...added] };
}

function firstContainer(container: Container, { args, resources }: ShardChoice): Container {
  return {
    ...container,
    ...(args && { args: [...args] }),
    ...(resources && { resources: { ...container.resources, ...instead(container.resources, resources) } }),
  };
}

/** Amounts of a shard; one that it states counts alone, so that the template's limit never lies below its request. */
function instead(own: Container['resources'], stated: NonNullable<Override['resources']>) {
  const names = new Set([...Object.keys(stated.requests ?? {}), ...Object.keys(stated.limits ?? {})]);
  const kept = (amounts: Readonly<Record<string, string | number>> | undefined) =>
    Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => !names.has(name)));
  return {
    requests: { ...kept(own?.requests), ...stated.requests },
    limits: { ...kept(own?.limits), ...stated.limits },
  };
}

/** A volume of one shard, and the object behind it. */
export interface ShardVolume<T> {
  readonly object: T;
  readonly volume: Volume;
  readonly mount: VolumeMount;
}
