import { nearest, podTemplatesOf, type FieldPath, type PodSpec, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';
import { containerPaths } from './rule-paths';

/** Reference `$(NAME)`, which the kubelet replaces by the value of the variable. */
interface Reference {
  readonly name: string;
  readonly path: FieldPath;
  /** Container that has the text; absent if all have it. */
  readonly container?: string;
}

/** Variables of the containers with one name, in all pods of a workload. */
interface Variables {
  readonly names: Set<string>;
  /** Whether it may have others, of ConfigMaps and Secrets. */
  isOpen: boolean;
}

/** Variables of Services, which depend on the namespace. */
const ofService = /_SERVICE_(HOST|PORT)|_PORT(_\d+_[A-Z]+)?$/;

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
  const containers = variablesOf(objects);
  for (const { name, path, container } of references) {
    const all = container === undefined ? [...containers.values()] : [containers.get(container)];
    const known = all.flatMap((variables) => (variables ? [variables] : []));
    const isUnknown = known.length === 0 || known.some(({ names, isOpen }) => isOpen || names.has(name));
    if (isUnknown || ofService.test(name)) continue;
    const near = name.length < 3 ? undefined : nearest(name, [...new Set(known.flatMap(({ names }) => [...names]))]);
    const correction = near === undefined ? 'define the variable' : `did you mean $(${near})? Otherwise define it`;
    report({
      code: 'unknown-reference',
      path,
      reason: `refers to $(${name}), and no variable of the container has this name`,
      remedy: `${correction}, or write $$(${name}) for the text itself`,
      rule: 'variable-reference',
      severity: 'warning',
    });
  }
}

function referencesOf(workload: Workload): readonly Reference[] {
  const found: Reference[] = [];
  const add = (text: string | undefined, path: () => FieldPath, container?: string) => {
    if (text?.includes('$(') !== true) return;
    for (const name of namesIn(text)) found.push({ name, path: path(), ...(container !== undefined && { container }) });
  };
  const { env: shared = {} } = workload.spec.config ?? {};
  for (const name in shared) add(shared[name], () => ['spec', 'config', 'env', name]);
  for (const { template, path } of podTemplatesOf(workload))
    for (const { container, path: at } of containerPaths(template.spec, [...path, 'spec'])) {
      const { name, command, args, env } = container;
      command?.forEach((text, index) => add(text, () => [...at, 'command', index], name));
      args?.forEach((text, index) => add(text, () => [...at, 'args', index], name));
      env?.forEach(({ value }, index) => add(value, () => [...at, 'env', index, 'value'], name));
    }
  return found;
}

/** Returns the names that a text refers to; `$$` stands for a dollar sign. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\$\$|\$\(([A-Z_][A-Z0-9_]*)\)/g)].flatMap(([, name]) => name ?? []));

function variablesOf(objects: readonly KubernetesObject[]): ReadonlyMap<string, Variables> {
  const containers = new Map<string, Variables>();
  for (const object of objects) {
    const pod: Partial<PodSpec> = podSpecOf(object) ?? {};
    for (const { name, env = [], envFrom = [] } of [...(pod.containers ?? []), ...(pod.initContainers ?? [])]) {
      let variables = containers.get(name);
      if (!variables) containers.set(name, (variables = { names: new Set(), isOpen: false }));
      for (const variable of env) variables.names.add(variable.name);
      if (envFrom.length > 0) variables.isOpen = true;
    }
  }
  return containers;
}
