import { hooksOf, nearest, podTemplatesOf, type FieldPath, type PodSpec, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';
import { overridesOf } from './overrides-of';
import { containerPaths } from './rule-paths';
import { scriptIndex } from './script-index';

/** References `$(NAME)` of a field, which the kubelet replaces by the values of the variables. */
interface References {
  readonly names: readonly string[];
  readonly path: FieldPath;
  /** Container that has the text; absent if all have it. */
  readonly container?: string;
}

/** Variables of the containers with one name, in all pods of a workload. */
interface Variables {
  readonly names: Set<string>;
  /** Whether it may have others, of ConfigMaps and Secrets. */
  isOpen: boolean;
  /** Whether a pod has the variables of Services. */
  hasServices: boolean;
}

/**
 * Variables of Services, which depend on the namespace; its first group is the Service. Pods have them with
 * `enableServiceLinks: true`, and those of the API server always.
 */
const ofService =
  /^([A-Z][A-Z0-9_]*?)_(?:SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)$/;

/** How many names of a field a problem lists. */
const maxListed = 3;
/** How many fields of a workload get the most similar name, which takes time to find. */
const maxSuggestions = 10;

/**
 * Warns about `$(NAME)` in commands, arguments and variables that no variable of the container defines: the text stays as
 * it is. Names with small letters are skipped, because a shell runs them as commands.
 */
export function variableProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  report: (problem: Problem) => void,
): void {
  const references = referencesOf(workload);
  if (references.length === 0) return;
  const variablesFor = variablesOf(objects);
  const isOfService = serviceVariables(references);
  let suggestions = 0;
  for (const { names, path, container } of references) {
    const known = variablesFor(container);
    if (known.isOpen) continue;
    const isGiven = (name: string): boolean =>
      known.names.has(name) || (isOfService(name) && (known.hasServices || name.startsWith('KUBERNETES_')));
    const unknown = names.filter((name) => !isGiven(name));
    const [first] = unknown;
    if (first === undefined) continue;
    if (unknown.every(isOfService)) {
      report(
        problemOf(unknown, undefined, path, 'set enableServiceLinks: true in the pod for the variables of Services'),
      );
      continue;
    }
    const near = first.length < 3 || ++suggestions > maxSuggestions ? undefined : nearest(first, [...known.names]);
    report(problemOf(unknown, near, path));
  }
}

/**
 * Returns a predicate for names of variables of Services. Most names NAME_PORT are of other variables, so that they
 * count only if the workload also refers to a variable that only the Service NAME has, such as NAME_SERVICE_HOST.
 */
function serviceVariables(references: readonly References[]): (name: string) => boolean {
  const services = new Set(references.flatMap(({ names }) => names.flatMap((name) => ofService.exec(name)?.[1] ?? [])));
  // Each pod has the variables of this one.
  services.add('KUBERNETES');
  return (name) => ofService.test(name) || (name.endsWith('_PORT') && services.has(name.slice(0, -'_PORT'.length)));
}

function problemOf(
  unknown: readonly string[],
  near: string | undefined,
  path: FieldPath,
  definition = unknown.length === 1 ? 'define the variable' : 'define the variables',
): Problem {
  const [first = ''] = unknown;
  const isOne = unknown.length === 1;
  const more = unknown.length > maxListed ? ` and ${unknown.length - maxListed} more` : '';
  const listed = unknown.slice(0, maxListed).map((name) => `$(${name})`);
  const instead = isOne ? 'define it' : 'define them';
  return {
    code: 'unknown-reference',
    path,
    reason: `refers to ${listed.join(', ')}${more}, and no variable of the container has ${isOne ? 'this name' : 'these names'}`,
    remedy: `${near === undefined ? definition : `did you mean $(${near})? Otherwise ${instead}`}, or write $$(${first}) for the text itself`,
    rule: 'variable-reference',
    severity: 'warning',
  };
}

function referencesOf(workload: Workload): readonly References[] {
  const found: References[] = [];
  const add = (text: string | undefined, path: () => FieldPath, container?: string) => {
    if (text?.includes('$(') !== true) return;
    const names = namesIn(text);
    if (names.length > 0) found.push({ names, path: path(), ...(container !== undefined && { container }) });
  };
  const { env: shared = {} } = workload.spec.config ?? {};
  for (const name in shared) add(shared[name], () => ['spec', 'config', 'env', name]);
  for (const { template, path } of podTemplatesOf(workload))
    for (const { container, path: at } of containerPaths(template.spec, [...path, 'spec'])) {
      const { name, command = [], args = [], env } = container;
      const script = scriptIndex([...command, ...args]);
      command.forEach((text, index) => {
        if (index !== script) add(text, () => [...at, 'command', index], name);
      });
      args.forEach((text, index) => {
        if (command.length + index !== script) add(text, () => [...at, 'args', index], name);
      });
      env?.forEach(({ value }, index) => add(value, () => [...at, 'env', index, 'value'], name));
    }
  hooksOf(workload).forEach(({ name, command = [], args = [], env = {} }, at) => {
    const path = ['spec', 'beforeDeployment', at];
    const script = scriptIndex([...command, ...args]);
    command.forEach((text, index) => index !== script && add(text, () => [...path, 'command', index], name));
    args.forEach((text, index) => {
      if (command.length + index !== script) add(text, () => [...path, 'args', index], name);
    });
    for (const variable in env) add(env[variable], () => [...path, 'env', variable], name);
  });
  for (const { overrides, path } of overridesOf(workload)) {
    const { name, command = [] } = podTemplatesOf(workload)[0]?.template.spec.containers[0] ?? {};
    const { args = [], env = {} } = overrides;
    const script = scriptIndex([...command, ...args]);
    args.forEach((text, index) => {
      if (command.length + index !== script) add(text, () => [...path, 'args', index], name);
    });
    for (const variable in env) add(env[variable], () => [...path, 'env', variable]);
  }
  return found;
}

/** Returns the names that a text refers to; `$$` stands for a dollar sign. */
const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\$\$|\$\(([A-Z_][A-Z0-9_]*)\)/g)].flatMap(([, name]) => name ?? [])),
];

/** Returns the variables of the containers with a name, or of all containers. */
function variablesOf(objects: readonly KubernetesObject[]): (container: string | undefined) => Variables {
  const containers = new Map<string, Variables>();
  const all: Variables = { names: new Set(), isOpen: false, hasServices: false };
  for (const object of objects) {
    const pod: Partial<PodSpec> = podSpecOf(object) ?? {};
    for (const { name, env = [], envFrom = [] } of [...(pod.containers ?? []), ...(pod.initContainers ?? [])]) {
      let variables = containers.get(name);
      if (!variables) containers.set(name, (variables = { names: new Set(), isOpen: false, hasServices: false }));
      for (const known of [variables, all]) {
        for (const variable of env) known.names.add(variable.name);
        if (envFrom.length > 0) known.isOpen = true;
        if (pod.enableServiceLinks === true) known.hasServices = true;
      }
    }
  }
  // A container that is not in the objects cannot be judged.
  const missing: Variables = { names: new Set(), isOpen: true, hasServices: true };
  return (container) => {
    if (container !== undefined) return containers.get(container) ?? missing;
    return containers.size === 0 ? missing : all;
  };
}
