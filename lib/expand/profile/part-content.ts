import { type Container, type EnvVar, type Workload } from '../../api';
import { contentsOf, variablesOf, type FileContents } from '../objects/config-files';
import { freeze } from '../objects/freeze';
import { inNameOrder } from '../objects/name';
import { withResources, type ContainerDefaults } from '../pods/resources';
import { type PreparedPart } from './runtime';

/** Options of a part that a workload sets. */
export type PartOptions = NonNullable<Workload['spec']['sidecars']>[string];

/** Containers and files that a part adds to pods; equal options share the same frozen objects. */
export interface PartContent {
  readonly containers: readonly Container[];
  readonly files: FileContents | undefined;
}

type Settings = Readonly<Record<string, string | number | boolean>>;

const known = new WeakMap<PreparedPart, WeakMap<ContainerDefaults, Map<string, PartContent>>>();
/** Maximum number of cached options per part; clusters use only a few. */
const maxKept = 1000;

/** Returns the content of a part for the options of a workload and the defaults of its tier. */
export function partContent(
  prepared: PreparedPart,
  amounts: ContainerDefaults,
  choice: PartOptions | undefined,
): PartContent {
  let byAmounts = known.get(prepared);
  if (!byAmounts) known.set(prepared, (byAmounts = new WeakMap<ContainerDefaults, Map<string, PartContent>>()));
  let byChoice = byAmounts.get(amounts);
  if (!byChoice) byAmounts.set(amounts, (byChoice = new Map<string, PartContent>()));
  const key = choice === undefined ? '' : JSON.stringify(choice);
  let content = byChoice.get(key);
  if (!content) {
    content = freeze(makeContent(prepared, amounts, choice));
    if (byChoice.size < maxKept) byChoice.set(key, content);
  }
  return content;
}

function makeContent(prepared: PreparedPart, amounts: ContainerDefaults, choice: PartOptions | undefined): PartContent {
  const { name, pod } = prepared.part;
  const settings = settingsOf(prepared, choice);
  const texts = {
    ...pod?.files,
    ...(pod?.configFile !== undefined && { [pod.configFile]: `${JSON.stringify(settings, undefined, 2)}\n` }),
  };
  const files = Object.keys(texts).length === 0 ? undefined : contentsOf(`pinion-${name}-files`, texts);
  const env = [...prepared.values, ...settingVariables(prepared, settings), ...variablesOf(choice?.env)];
  const mounts = [...(files?.mounts ?? []), ...(choice?.mounts ?? [])];
  const finish = (container: Container, main: boolean): Container => ({
    ...withResources(container, amounts, main ? choice?.resources : undefined),
    ...((env.length > 0 || container.env) && { env: deduplicateEnv([...(container.env ?? []), ...env]) }),
    ...((mounts.length > 0 || container.volumeMounts) && {
      volumeMounts: [...(container.volumeMounts ?? []), ...mounts],
    }),
  });
  const main = prepared.sidecars.length === 0;
  const sidecar = (container: Container, index: number): Container => ({
    ...finish(container, index === 0),
    restartPolicy: 'Always',
  });
  return {
    files,
    containers: [
      ...prepared.initContainers.map((container) => finish(container, main)),
      ...prepared.sidecars.map(sidecar),
    ],
  };
}

const settingVariables = (prepared: PreparedPart, settings: Settings): EnvVar[] =>
  inNameOrder(prepared.part.settings).flatMap(([name, { env }]) =>
    env === undefined || settings[name] === undefined ? [] : [{ name: env, value: String(settings[name]) }],
  );

function settingsOf(prepared: PreparedPart, choice: PartOptions | undefined): Settings {
  const settings: Record<string, string | number | boolean> = {};
  for (const [name, declared] of Object.entries(prepared.part.settings)) {
    const value = choice?.config?.[name] ?? declared.default;
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** Returns the variables without duplicates; later ones take precedence. */
export function deduplicateEnv(env: readonly EnvVar[]): EnvVar[] {
  const last = new Map(env.map((variable, index) => [variable.name, index]));
  return last.size === env.length ? [...env] : env.filter((variable, index) => last.get(variable.name) === index);
}
