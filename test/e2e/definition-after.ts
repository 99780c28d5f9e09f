import { crdOf, type PinionKind } from '../../lib/api';
import { type SendableObject } from '../control-plane/client';

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: { properties: object } } } };
    }[];
  };
}

/** Returns the current CRD with one more field, whose default applies to every stored object from then on. */
export function definitionAfter(kind: PinionKind): SendableObject {
  const definition = structuredClone(crdOf(kind)) as unknown as Definition & SendableObject;
  for (const { schema } of definition.spec.versions) {
    const { spec } = schema.openAPIV3Schema.properties;
    spec.properties = { ...spec.properties, newField: { type: 'string', default: 'soft', maxLength: 10 } };
  }
  return definition;
}
