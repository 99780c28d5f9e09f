import { type Container, type EnvVar, type Volume, type VolumeMount, type Workload } from '../api';
import { configFilesOf, variablesOf, type ConfigFiles } from './config-files';
import { freeze } from './freeze';
import { type KubernetesObject } from './kubernetes-object';
import { defaultAmounts, withResources, type Amounts } from './resources';
import { partsOf, type PreparedPart } from './runtime';
import { type World } from './world';

/** What the runtime profile adds to one pod. */
export interface Injection {
  readonly initContainers: readonly Container[];
  readonly env: readonly EnvVar[];
  readonly volumes: readonly Volume[];
  readonly mounts: readonly VolumeMount[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly objects: readonly KubernetesObject[];
}

type Choice = NonNullable<Workload['spec']['sidecars']>[string];

/** Everything that the parts of the profile add to the pods of a workload, in the order in which they start. */
export function injectionOf(workload: Workload, world: World, tier: string): Injection {
  const amounts = defaultAmounts(world.platform.spec, tier);
  const all = partsOf(workload, tier, world.runtime).map((prepared) => addition(prepared, workload, world, amounts));
  return {
    initContainers: all.flatMap((one) => one.containers),
    env: all.flatMap(({ pod }) => pod?.env ?? []),
    volumes: all.flatMap(({ pod, files }) => [...(pod?.volumes ?? []), ...(files ? [files.volume] : [])]),
    mounts: all.flatMap(({ pod }) => pod?.volumeMounts ?? []),
    labels: Object.assign({}, ...all.map(({ pod }) => pod?.labels ?? {})) as Record<string, string>,
    annotations: Object.assign({}, ...all.map(({ pod }) => pod?.annotations ?? {})) as Record<string, string>,
    objects: all.flatMap(({ files }) => (files ? [files.object] : [])),
  };
}

interface Addition {
  readonly pod: PreparedPart['part']['pod'];
  readonly containers: readonly Container[];
  readonly files: ConfigFiles | undefined;
}

function addition(prepared: PreparedPart, workload: Workload, world: World, amounts: Amounts): Addition {
  const { part } = prepared;
  const choice = workload.spec.sidecars?.[part.name];
  const settings = settingsOf(prepared, choice);
  const contents = {
    ...part.pod?.files,
    ...(part.pod?.configFile !== undefined && { [part.pod.configFile]: `${JSON.stringify(settings, undefined, 2)}\n` }),
  };
  const files =
    Object.keys(contents).length === 0
      ? undefined
      : configFilesOf(workload.metadata.name, part.name, `pinion-${part.name}-files`, contents);
  const containers =
    choice === undefined
      ? sharedContainers(prepared, world, amounts, files)
      : finished(prepared, world, amounts, files, settings, choice);
  return { pod: part.pod, containers, files };
}

const shared = new WeakMap<PreparedPart, Map<string, readonly Container[]>>();

/** Containers of a part that nobody chose anything about: the same frozen objects for all pods of a tier. */
function sharedContainers(
  prepared: PreparedPart,
  world: World,
  amounts: Amounts,
  files: ConfigFiles | undefined,
): readonly Container[] {
  let byAmounts = shared.get(prepared);
  if (!byAmounts) shared.set(prepared, (byAmounts = new Map<string, readonly Container[]>()));
  const key = JSON.stringify(amounts);
  let containers = byAmounts.get(key);
  if (!containers) {
    containers = freeze(finished(prepared, world, amounts, files, settingsOf(prepared, undefined), undefined));
    byAmounts.set(key, containers);
  }
  return containers;
}

function finished(
  prepared: PreparedPart,
  world: World,
  amounts: Amounts,
  files: ConfigFiles | undefined,
  settings: Readonly<Record<string, string | number | boolean>>,
  choice: Choice | undefined,
): readonly Container[] {
  const env = partVariables(prepared, world, settings, choice);
  const mounts = [...(files?.mounts ?? []), ...(choice?.mounts ?? [])];
  const finish = (container: Container, main: boolean): Container => ({
    ...withResources(container, amounts, main ? choice?.resources : undefined),
    ...((env.length > 0 || container.env) && { env: withoutRepeats([...(container.env ?? []), ...env]) }),
    ...((mounts.length > 0 || container.volumeMounts) && {
      volumeMounts: [...(container.volumeMounts ?? []), ...mounts],
    }),
  });
  return [
    ...prepared.initContainers.map((container) => finish(container, prepared.sidecars.length === 0)),
    ...prepared.sidecars.map((container, index): Container => ({
      ...finish(container, index === 0),
      restartPolicy: 'Always',
    })),
  ];
}

function partVariables(
  prepared: PreparedPart,
  world: World,
  settings: Readonly<Record<string, string | number | boolean>>,
  choice: Choice | undefined,
): EnvVar[] {
  const { valueEnv, settings: declared } = prepared.part;
  const values = world.platform.spec.runtime.values;
  const fromValues = Object.entries(valueEnv).flatMap(([name, value]) =>
    values[value] === undefined ? [] : [{ name, value: values[value] }],
  );
  const fromSettings = Object.entries(declared).flatMap(([name, { env }]) =>
    env === undefined || settings[name] === undefined ? [] : [{ name: env, value: String(settings[name]) }],
  );
  return [...fromValues, ...fromSettings, ...variablesOf(choice?.env)];
}

function settingsOf(prepared: PreparedPart, choice: Choice | undefined): Record<string, string | number | boolean> {
  const settings: Record<string, string | number | boolean> = {};
  for (const [name, declared] of Object.entries(prepared.part.settings)) {
    const value = choice?.config?.[name] ?? declared.default;
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** Variables in which a later one of the same name replaces an earlier one at its own place. */
export function withoutRepeats(env: readonly EnvVar[]): EnvVar[] {
  const last = new Map(env.map((variable, index) => [variable.name, index]));
  return last.size === env.length ? [...env] : env.filter((variable, index) => last.get(variable.name) === index);
}
