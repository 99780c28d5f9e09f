import { ownedPodFields } from '../fields/pod-template';
import { type WorkloadKind, workloadKinds } from '../kinds/workload-kinds';
import { type JsonSchema } from '../native';
import { type Shape, shapeOf } from '../schema/field-tree';
import { schemaOf } from '../schemas';

/** Pod templates of a kind, for rules of the custom resource. */
interface TemplatePlace {
  /** Returns a rule that holds for the pod of each template; the argument returns it for the expression of a pod. */
  readonly each: (rule: (pod: string) => string) => string;
  /** Path of a field in the pod, as precise as a rule can be. */
  readonly fieldPath: (field: string) => string;
}

const places: Readonly<Record<string, TemplatePlace>> = {
  template: {
    each: (rule) => `!has(self.spec.template) || ${rule('self.spec.template.spec')}`,
    fieldPath: (field) => `.spec.template.spec.${field}`,
  },
  replicatedJobs: {
    each: (rule) => `!has(self.spec.replicatedJobs) || self.spec.replicatedJobs.all(j, ${rule('j.template.spec')})`,
    fieldPath: () => '.spec.replicatedJobs',
  },
  roles: {
    // The interpreter of the library does not support has() of a field of an indexed entry.
    each: (rule) =>
      `self.spec.roles.all(r, [self.spec.roles[r]].all(role, !has(role.template) || ${rule('role.template.spec')}))`,
    fieldPath: () => '.spec.roles',
  },
};

/** Returns the rules that pod fields in templates have the values that the platform sets; enums hold the others. */
export function podFieldRules(kind: WorkloadKind): readonly JsonSchema[] {
  const shape = shapeOf(schemaOf(kind));
  const fields = shape.kind === 'object' ? shape.fields : [];
  return Object.entries(workloadKinds[kind].podFields).flatMap(([name, { equals }]) =>
    equals === undefined
      ? []
      : fields.flatMap((field) => {
          const place = places[field.name];
          return place && hasTemplate(field.shape) ? [ruleOf(name, equals, place)] : [];
        }),
  );
}

function ruleOf(name: string, equals: (value: string) => string, { each, fieldPath }: TemplatePlace): JsonSchema {
  const remedy = ownedPodFields[name as keyof typeof ownedPodFields];
  return {
    rule: each((pod) => `!has(${pod}.${name}) || (${equals(`${pod}.${name}`)})`),
    message: `is set by the platform; ${remedy}`,
    fieldPath: fieldPath(name),
    reason: 'FieldValueForbidden',
  };
}

function hasTemplate(shape: Shape): boolean {
  if (shape.kind === 'leaf') return shape.typeName === 'PodTemplate';
  if (shape.kind === 'list') return hasTemplate(shape.items);
  if (shape.kind === 'map') return hasTemplate(shape.values);
  return shape.kind === 'object' && shape.fields.some((field) => hasTemplate(field.shape));
}
