import {
  apiVersion,
  parseManifest,
  safeParseManifest,
  isError,
  type ManifestInput,
  type Problem,
  type Workload,
} from '../../../api';
import { safeExpand, type PlatformContext } from '../../../expand';
import { adoptionOf, type Adoption } from './adoption';
import { type Fields } from './fields';
import { importTargets } from './kinds/kind-imports';
import { isAddedKey, isRendered } from './rendered';
import { type NativeObject } from './native-object';
import { type Note } from './note';
import { removeRejectedFields } from './remove-rejected-fields';

/** Workload to import, with options. */
export interface ImportRequest {
  readonly object: NativeObject;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly relatedObjects: readonly NativeObject[];
  readonly cluster: PlatformContext;
  /** Namespace if the object has none. */
  readonly namespace: string;
  /** @default - its own */
  readonly name?: string;
}

/** A native workload as a custom resource. */
export interface ImportedWorkload {
  readonly document: ManifestInput;
  readonly adoption: Adoption;
  /** Changes in behavior, and fields that could not be converted. */
  readonly notes: readonly Note[];
  /** Remaining problems, which need manual changes. */
  readonly problems: readonly Problem[];
}

/** Converts a native workload to a custom resource; undefined for other kinds. */
export function importWorkload(request: ImportRequest): ImportedWorkload | undefined {
  const { object, relatedObjects, cluster } = request;
  const target = importTargets.find(({ nativeKind }) => nativeKind === object.kind);
  if (!target) return undefined;
  const name = request.name ?? object.metadata.name;
  const namespace = object.metadata.namespace ?? request.namespace;
  const notes: Note[] = [];
  const adoption = adoptionOf({ ...object, metadata: { ...object.metadata, namespace } }, target, name);
  const spec = target.specOf({ object, name, relatedObjects: inNamespace(relatedObjects, namespace), cluster, notes });
  const draft = {
    apiVersion,
    kind: target.kind,
    metadata: { name, namespace, ...labelsOf(object, spec) },
    spec: { ...(adoption.adopt && { adopt: true }), ...spec },
  };
  const { document, problems } = removeRejectedFields(
    draft,
    (current) => problemsOf(current, cluster, namespace),
    notes,
  );
  return { document: document as unknown as ManifestInput, adoption, notes, problems };
}

const inNamespace = (objects: readonly NativeObject[], namespace: string): readonly NativeObject[] =>
  objects.filter(({ metadata }) => (metadata.namespace ?? namespace) === namespace);

/** Returns the problems that `pinion check` reports for a cluster with the controller. */
function problemsOf(document: Fields, cluster: PlatformContext, namespace: string): readonly Problem[] {
  const parsed = safeParseManifest(document);
  const found = parsed.problems.filter(isError);
  if (found.length > 0 || !parsed.manifest) return found;
  return safeExpand(parseManifest(document as unknown as ManifestInput) as Workload, cluster.project(namespace))
    .problems;
}

/** Returns the labels of the object that its pods lack, without those of Kubernetes and tools. */
function labelsOf(object: NativeObject, { template }: Fields): Fields {
  const { labels = {} } = object.metadata;
  const rendered = isRendered(object);
  const pods = ((template as Fields | undefined)?.['metadata'] as Fields | undefined)?.['labels'] as Fields | undefined;
  const kept = Object.entries(labels).filter(
    ([key, value]) =>
      pods?.[key] !== value &&
      !(rendered && isAddedKey(key)) &&
      !/(^|\.)(kubernetes\.io|k8s\.io|helm\.sh|argoproj\.io|fluxcd\.io)\//.test(key),
  );
  return kept.length > 0 ? { labels: Object.fromEntries(kept) } : {};
}
