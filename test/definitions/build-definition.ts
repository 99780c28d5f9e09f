import { asDefinition, type CustomResourceDefinition } from '../../lib/definitions';
import { type DefinitionVersion } from '../../lib/definitions/definition';
import { type SchemaNode } from '../../lib/definitions/schema/schema-node';

/** Returns a definition of kind Widget, with parts of its spec and of its version replaced. */
export function definitionOf(
  specSchema: SchemaNode,
  over: { readonly spec?: object; readonly version?: Partial<DefinitionVersion>; readonly status?: object } = {},
): CustomResourceDefinition {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: specSchema, status: statusSchema } } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    ...over.version,
  };
  const definition = asDefinition({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [version],
      ...over.spec,
    },
    ...(over.status && { status: over.status }),
  });
  if (!definition) throw new Error('the definition of the test is incomplete');
  return definition;
}

const statusSchema: SchemaNode = { type: 'object', properties: { replicas: { type: 'integer' } } };

/** Returns a schema of a spec with these fields. */
export const specOf = (properties: Readonly<Record<string, SchemaNode>>, over: SchemaNode = {}): SchemaNode => ({
  type: 'object',
  properties: { replicas: { type: 'integer' }, ...properties },
  ...over,
});

/** Returns a stored Widget. */
export const widget = (spec: object, name = 'one'): Readonly<Record<string, unknown>> => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec,
});
