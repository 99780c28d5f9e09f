import { isPlainObject } from '../api';
import { type SchemaNode } from './schema/schema-node';

/** Paths of the scale subresource, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

/** A version of a CustomResourceDefinition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: SchemaNode };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`. */
export interface CustomResourceDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly DefinitionVersion[];
    readonly conversion?: { readonly strategy?: string; readonly webhook?: unknown };
    readonly preserveUnknownFields?: boolean;
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/** API version of definitions that are compared. */
export const definitionApiVersion = 'apiextensions.k8s.io/v1';

/** Returns a document as a CustomResourceDefinition; undefined if it is another one, or has no name, group or versions. */
export function asDefinition(value: unknown): CustomResourceDefinition | undefined {
  if (!isPlainObject(value) || value['kind'] !== 'CustomResourceDefinition') return undefined;
  if (value['apiVersion'] !== definitionApiVersion) return undefined;
  const { metadata, spec } = value;
  if (!isPlainObject(metadata) || typeof metadata['name'] !== 'string' || !isPlainObject(spec)) return undefined;
  const { group, names, versions } = spec;
  const isComplete =
    typeof group === 'string' &&
    isPlainObject(names) &&
    typeof names['kind'] === 'string' &&
    typeof names['plural'] === 'string' &&
    Array.isArray(versions) &&
    versions.every((version) => isPlainObject(version) && typeof version['name'] === 'string');
  return isComplete ? (value as unknown as CustomResourceDefinition) : undefined;
}

/** Returns the version in which objects are stored; undefined if none or several are marked. */
export function storageVersion({ spec }: CustomResourceDefinition): DefinitionVersion | undefined {
  const marked = spec.versions.filter(({ storage }) => storage);
  return marked.length === 1 ? marked[0] : undefined;
}

/** Returns the names of the versions in which objects may be stored: of the status, else the storage version. */
export function storedVersionsOf(definition: CustomResourceDefinition): readonly string[] {
  const { status } = definition;
  const storage = storageVersion(definition)?.name;
  return status?.storedVersions ?? (storage === undefined ? [] : [storage]);
}

/** Returns the schema of a version; any object if it has none. */
export const schemaOfVersion = ({ schema }: DefinitionVersion): SchemaNode =>
  schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
