import { shapeOf } from '../schema/field-tree';
import { type KindDefinition } from '../kinds/kind-definition';
import { pinionKinds, type PinionKind } from '../kinds/kinds';
import { isWorkloadKind, traitsOf } from '../kinds/workload-kinds';
import { group, version } from '../names';
import { type CustomResourceDefinition, type JsonSchema } from '../native';
import { nameForm } from '../values/object-name';
import { schemaOf, statusSchemaOf } from '../schemas';
import { podFieldRules } from './pod-field-rules';
import { structuralSchema, validationsOf } from './structural-schema';

const isScaled = (kind: PinionKind): boolean => isWorkloadKind(kind) && traitsOf(kind).scales;

/** CustomResourceDefinition with its name. */
export type NamedDefinition = CustomResourceDefinition & { readonly metadata: { readonly name: string } };

/** Returns the CustomResourceDefinition of a kind: structural schema, defaults, rules, columns and subresources. */
export function crdOf(kind: PinionKind): NamedDefinition {
  const { plural, singular, shortNames, scope, columns } = pinionKinds[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        shortNames: [...shortNames],
        categories: ['pinterest'],
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: rootSchema(kind) },
          subresources: { status: {}, ...(isScaled(kind) && { scale }) },
          additionalPrinterColumns: [...columns],
        },
      ],
    },
  };
}

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

function rootSchema(kind: PinionKind): JsonSchema {
  const { pattern, max, only } = nameForm(kind);
  const { manifestRules = [] }: KindDefinition = pinionKinds[kind];
  const podRules = isWorkloadKind(kind) ? podFieldRules(kind) : [];
  const validations = [...reservedNames(kind), ...validationsOf(manifestRules), ...podRules];
  const name = { type: 'string', maxLength: max, pattern, ...(only && { enum: [...only] }) };
  return {
    description: pinionKinds[kind].summary,
    type: 'object',
    required: ['spec'],
    ...(validations.length > 0 && { 'x-kubernetes-validations': validations }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name } },
      spec: { description: 'Desired state.', ...structuralSchema(shapeOf(schemaOf(kind))) },
      status: {
        description: 'Observed state, written by the controller.',
        ...structuralSchema(shapeOf(statusSchemaOf(kind))),
      },
    },
  };
}

/** Returns the rule that a name is not reserved; none if no name is. */
function reservedNames(kind: PinionKind): readonly JsonSchema[] {
  const { reserved } = nameForm(kind);
  if (!reserved) return [];
  const isNotReserved = [
    `!(self.metadata.name in ${JSON.stringify(reserved.names)})`,
    ...(reserved.prefix === undefined ? [] : [`!self.metadata.name.startsWith("${reserved.prefix}")`]),
  ].join(' && ');
  return [
    {
      // An object of an earlier version must remain changeable: its finalizers may have to be removed.
      optionalOldSelf: true,
      rule: `oldSelf.hasValue() || ${isNotReserved}`,
      message: `${reserved.reason}; ${reserved.remedy}`,
      fieldPath: '.metadata.name',
      reason: 'FieldValueForbidden',
    },
  ];
}
