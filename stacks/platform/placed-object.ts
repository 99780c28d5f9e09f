import { CustomResource, secret, type CustomResourceOptions } from '@pulumi/pulumi';
import { type KubernetesObject } from 'pinion';

/** Manager of every field that the stack sets; with another one each time, an object would conflict with itself. */
const fieldManager = 'pinion-platform';
/** The longest that an object may take to be as it should: new machines have to come first. */
const patience = { create: '20m', update: '20m' };

/** One object, as the provider is told of it. */
export interface PlacedObject {
  readonly object: KubernetesObject;
  /** What is waited for. @default - nothing: it is there once the API server has it */
  readonly until?: 'Established' | 'Available' | 'Ready' | 'rolled out';
}

/** An object of any kind; the provider learns of its fields from the API server. */
class PlacedResource extends CustomResource {}

/** Type of an object in the Kubernetes provider's words: `kubernetes:core/v1:ConfigMap`. */
export const typeOf = ({ apiVersion, kind }: KubernetesObject): string =>
  `kubernetes:${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}:${kind}`;

/** Name of an object within the stack, unique among objects of its type. */
export const nameOf = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Puts one object on the cluster. */
export function placeObject({ object, until }: PlacedObject, options: CustomResourceOptions): CustomResource {
  const annotations = {
    ...object.metadata.annotations,
    'pulumi.com/patchFieldManager': fieldManager,
    ...(until === undefined && { 'pulumi.com/skipAwait': 'true' }),
    // Of kinds that it knows, the provider itself knows when they are well.
    ...(until === 'Ready' && { 'pulumi.com/waitFor': 'condition=Ready' }),
  };
  const { metadata, ...body } = object;
  return new PlacedResource(
    typeOf(object),
    nameOf(object),
    { ...sealed(body), metadata: { ...metadata, annotations } },
    {
      ...options,
      ...(until !== undefined && { customTimeouts: patience }),
      // Whoever deletes a definition deletes all objects of its kind.
      ...(object.kind === 'CustomResourceDefinition' && { protect: true }),
    },
  );
}

/** What a Secret holds is encrypted in the state. */
function sealed(body: Omit<KubernetesObject, 'metadata'>): Record<string, unknown> {
  const values = body as unknown as Record<string, unknown>;
  if (body.kind !== 'Secret') return values;
  const fields = ['data', 'stringData'].filter((field) => values[field] !== undefined);
  return { ...values, ...Object.fromEntries(fields.map((field) => [field, secret(values[field])])) };
}
