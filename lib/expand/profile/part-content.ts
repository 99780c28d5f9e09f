import { type Container, type EnvVar, type Workload } from '../../api';
import { contentsOf, variablesOf, type FileContents } from '../objects/config-files';
import { freeze } from '../objects/freeze';
import { inNameOrder } from '../objects/name';
import { withResources, type ContainerDefaults } from '../pods/resources';
import { type PreparedPart } from './runtime';

/** Options of a part that a workload sets. */
export type PartOptions = NonNullable<Workload['spec']['sidecars']>[string];

/** Containers and files that a part adds to pods; pods with equal options share the same frozen objects. */
export interface PartContent {
  readonly containers: readonly Container[];
  readonly files: FileContents | undefined;
}

type Settings = Readonly<Record<string, string | number | boolean>>;

const contentCache = new WeakMap<PreparedPart, WeakMap<ContainerDefaults, Map<string, PartContent>>>();
/** Maximum number of cached results per part; clusters use only a few different options. */
const maxCachedOptions = 1000;

/** Returns the content of a part for the options of a workload and the defaults of its tier. */
export function partContent(
  prepared: PreparedPart,
  amounts: ContainerDefaults,
  options: PartOptions | undefined,
): PartContent {
  let byAmounts = contentCache.get(prepared);
  if (!byAmounts) contentCache.set(prepared, (byAmounts = new WeakMap<ContainerDefaults, Map<string, PartContent>>()));
  let byOptions = byAmounts.get(amounts);
  if (!byOptions) byAmounts.set(amounts, (byOptions = new Map<string, PartContent>()));
  const key = options === undefined ? '' : JSON.stringify(options);
  let content = byOptions.get(key);
  if (!content) {
    content = freeze(createContent(prepared, amounts, options));
    if (byOptions.size < maxCachedOptions) byOptions.set(key, content);
  }
  return content;
}

function createContent(
  prepared: PreparedPart,
  amounts: ContainerDefaults,
  options: PartOptions | undefined,
): PartContent {
  const { name, pod } = prepared.part;
  const settings = settingsOf(prepared, options);
  const texts = {
    ...pod?.files,
    ...(pod?.configFile !== undefined && { [pod.configFile]: `${JSON.stringify(settings, undefined, 2)}\n` }),
  };
  const files = Object.keys(texts).length === 0 ? undefined : contentsOf(`pinion-${name}-files`, texts);
  const env = [...prepared.values, ...settingVariables(prepared, settings), ...variablesOf(options?.env)];
  const mounts = [...(files?.mounts ?? []), ...(options?.mounts ?? [])];
  const finishContainer = (container: Container, main: boolean): Container => ({
    ...withResources(container, amounts, main ? options?.resources : undefined),
    ...((env.length > 0 || container.env) && { env: deduplicateEnv([...(container.env ?? []), ...env]) }),
    ...((mounts.length > 0 || container.volumeMounts) && {
      volumeMounts: [...(container.volumeMounts ?? []), ...mounts],
    }),
  });
  const main = prepared.sidecars.length === 0;
  const sidecar = (container: Container, index: number): Container => ({
    ...finishContainer(container, index === 0),
    restartPolicy: 'Always',
  });
  return {
    files,
    containers: [
      ...prepared.initContainers.map((container) => finishContainer(container, main)),
      ...prepared.sidecars.map(sidecar),
    ],
  };
}

const settingVariables = (prepared: PreparedPart, settings: Settings): EnvVar[] =>
  inNameOrder(prepared.part.settings).flatMap(([name, { env }]) =>
    env === undefined || settings[name] === undefined ? [] : [{ name: env, value: String(settings[name]) }],
  );

function settingsOf(prepared: PreparedPart, options: PartOptions | undefined): Settings {
  const settings: Record<string, string | number | boolean> = {};
  for (const [name, declared] of Object.entries(prepared.part.settings)) {
    const value = options?.config?.[name] ?? declared.default;
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** Returns the variables without duplicates; later ones take precedence. */
export function deduplicateEnv(env: readonly EnvVar[]): EnvVar[] {
  const last = new Map(env.map((variable, index) => [variable.name, index]));
  return last.size === env.length ? [...env] : env.filter((variable, index) => last.get(variable.name) === index);
}
