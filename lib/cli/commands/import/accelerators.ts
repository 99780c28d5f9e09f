import { entriesAt, fieldIfSet, fieldsAt, without, type Fields } from './fields';

/** Accelerators of a training job. */
export interface Accelerators {
  /** The field `accelerators`, or nothing. */
  readonly fields: Fields;
  /** Returns a template without what the field sets. */
  readonly without: (template: Fields) => Fields;
}

interface RoleTemplate {
  readonly role: string;
  readonly template: Fields;
}

/**
 * Returns the accelerators of a training job: those of the first containers, if all members with any have the same and a
 * pool of the Platform has them. Others stay in the templates.
 */
export function acceleratorsOf(
  roles: readonly RoleTemplate[],
  pools: readonly { readonly accelerators: readonly string[] }[],
): Accelerators {
  const limits = roles.map(({ role, template }) => ({ role, ...limitOf(template) }));
  const accelerated = limits.filter(({ resource }) => resource !== undefined);
  const [first] = accelerated;
  const isUniform = accelerated.every(({ resource, count }) => resource === first?.resource && count === first?.count);
  const { resource, count } = first ?? {};
  const isOffered = pools.some(({ accelerators }) => accelerators.some((offered) => offered === resource));
  if (resource === undefined || !isUniform || !isOffered) return { fields: {}, without: (template) => template };
  const withDefault = limits.filter(({ role }) => role !== 'ps' && role !== 'evaluator').map(({ role }) => role);
  const names = accelerated.map(({ role }) => role);
  return {
    fields: {
      accelerators: {
        ...(resource !== 'nvidia.com/gpu' && { resource }),
        count,
        ...(withDefault.join() !== names.join() && { roles: names }),
      },
    },
    without: (template) => withoutResource(template, resource),
  };
}

/** Returns the accelerator in the limits of the first container; nothing if it has none. */
function limitOf(template: Fields): { readonly resource?: string; readonly count?: number } {
  const limits = fieldsAt(entriesAt(template, 'spec', 'containers')[0], 'resources', 'limits');
  const [resource, count] =
    Object.entries(limits).find(([name]) => /\/(gpu|tpu|neuron\w*|mig-[\w.]+)$/.test(name)) ?? [];
  return resource === undefined ? {} : { resource, count: Number(count) };
}

function withoutResource(template: Fields, resource: string): Fields {
  const spec = fieldsAt(template, 'spec');
  const [first, ...others] = entriesAt(spec, 'containers');
  if (!first) return template;
  const resources = fieldsAt(first, 'resources');
  const kept = {
    ...resources,
    ...Object.fromEntries(
      ['requests', 'limits'].map((list) => [list, without(fieldsAt(resources, list), resource)] as const),
    ),
  };
  const lists = Object.entries(kept).filter(
    ([, value]) => Object.keys(fieldsAt(value)).length > 0 || Array.isArray(value),
  );
  const container = { ...without(first, 'resources'), ...fieldIfSet('resources', Object.fromEntries(lists)) };
  return { ...template, spec: { ...spec, containers: [container, ...others] } };
}
