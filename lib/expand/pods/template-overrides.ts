import { type Container, type EnvVar, type PodTemplate } from '../../api';

type Amounts = Readonly<Record<string, string | number>>;

/** Fields that some pods of a workload override. */
export interface TemplateOverrides {
  /** Image of the first container. */
  readonly image?: string | undefined;
  /** Arguments of the first container. */
  readonly args?: readonly string[] | undefined;
  /** Resources of the first container. */
  readonly resources?: { readonly requests?: Amounts | undefined; readonly limits?: Amounts | undefined } | undefined;
  /** Variables of every container. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Fields of a spec that overrides change. */
interface OverridableSpec {
  readonly template: PodTemplate;
  readonly config?: { readonly env?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** Returns a spec whose template and common variables have the overrides of some pods. */
export function withOverrides<S extends OverridableSpec>(spec: S, overrides: TemplateOverrides): S {
  const { config, template } = spec;
  const env = overrides.env ?? {};
  const common = config?.env ?? {};
  const isCommonVariable = (name: string) => Object.hasOwn(common, name);
  const replaced = Object.fromEntries(Object.entries(env).filter(([name]) => isCommonVariable(name)));
  const forContainer = (container: Container): Container => {
    const declares = (name: string) => container.env?.some((variable) => variable.name === name) ?? false;
    const values = Object.entries(env).filter(([name]) => !isCommonVariable(name) || declares(name));
    return withVariables(container, Object.fromEntries(values));
  };
  const { initContainers, containers } = template.spec;
  const pod = {
    ...template.spec,
    ...(initContainers && { initContainers: initContainers.map(forContainer) }),
    containers: containers.map((container, at) =>
      at === 0 ? firstContainer(forContainer(container), overrides) : forContainer(container),
    ),
  };
  return {
    ...spec,
    ...(config?.env && { config: { ...config, env: { ...common, ...replaced } } }),
    template: { ...template, spec: pod },
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

function firstContainer(container: Container, { image, args, resources }: TemplateOverrides): Container {
  return {
    ...container,
    ...(image !== undefined && { image }),
    ...(args && { args: [...args] }),
    ...(resources && { resources: { ...container.resources, ...mergeResources(container.resources, resources) } }),
  };
}

/**
 * Merges the resources of some pods with those of the template. A resource that the override sets replaces both the
 * request and the limit of the template, so that no limit is below its request.
 */
function mergeResources(
  templateResources: Container['resources'],
  overriding: NonNullable<TemplateOverrides['resources']>,
) {
  const names = new Set([...Object.keys(overriding.requests ?? {}), ...Object.keys(overriding.limits ?? {})]);
  const unreplaced = (amounts: Amounts | undefined) =>
    Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => !names.has(name)));
  return {
    requests: { ...unreplaced(templateResources?.requests), ...overriding.requests },
    limits: { ...unreplaced(templateResources?.limits), ...overriding.limits },
  };
}
