import { CustomResource, secret, type CustomResourceOptions } from '@pulumi/pulumi';
import { type KubernetesObject } from '@pinion-platform/pinion';

/** Field manager of the stack; the default is random per object and would conflict with itself. */
const fieldManager = 'pinion-platform';
/** Timeouts for objects to become ready, which may require new machines. */
const readyTimeouts = { create: '20m', update: '20m' };

/** Arguments of an object resource. */
export interface ObjectResourceArgs {
  readonly object: KubernetesObject;
  /** Condition to wait for. @default - none, the object is complete once the API server accepts it */
  readonly until?: 'Established' | 'Available' | 'Ready' | 'rolled out';
}

/** An object of any kind; the provider reads its schema from the API server. */
class ObjectResource extends CustomResource {}

/** Returns the resource type of the Kubernetes provider: `kubernetes:core/v1:ConfigMap`. */
export const resourceType = ({ apiVersion, kind }: KubernetesObject): string =>
  `kubernetes:${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}:${kind}`;

/** Returns the resource name, unique among objects of one type. */
export const resourceName = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Creates the resource of one object. */
export function createObjectResource(
  { object, until }: ObjectResourceArgs,
  options: CustomResourceOptions,
): CustomResource {
  const annotations = {
    ...object.metadata.annotations,
    'pulumi.com/patchFieldManager': fieldManager,
    ...(until === undefined && { 'pulumi.com/skipAwait': 'true' }),
    // The provider has its own readiness checks for built-in kinds.
    ...(until === 'Ready' && { 'pulumi.com/waitFor': 'condition=Ready' }),
  };
  const { metadata, ...body } = object;
  return new ObjectResource(
    resourceType(object),
    resourceName(object),
    { ...withSecretData(body), metadata: { ...metadata, annotations } },
    {
      ...options,
      ...(until !== undefined && { customTimeouts: readyTimeouts }),
      // Deleting a CRD deletes all objects of its kind.
      ...(object.kind === 'CustomResourceDefinition' && { protect: true }),
    },
  );
}

/** Marks the data of a Secret as secret, so that the state encrypts it. */
function withSecretData(body: Omit<KubernetesObject, 'metadata'>): Record<string, unknown> {
  const values = body as unknown as Record<string, unknown>;
  if (body.kind !== 'Secret') return values;
  const fields = ['data', 'stringData'].filter((field) => values[field] !== undefined);
  return { ...values, ...Object.fromEntries(fields.map((field) => [field, secret(values[field])])) };
}
