import {
  apiVersion,
  parseManifest,
  safeParseManifest,
  isError,
  type ManifestInput,
  type Problem,
  type Workload,
} from '../../../api';
import { expandUnchecked, safeExpand, type KubernetesObject, type PlatformContext } from '../../../expand';
import { accessOf } from './access';
import { adoptionOf, type Adoption } from './adoption';
import { connectedObjectsOf } from './connected-objects';
import { fieldIfSet, labelsAt, type Fields } from './fields';
import { importTargetOf } from './kinds/kind-imports';
import { relatedObjectsOf, type KindSource } from './kind-source';
import { helmHookOf } from './left-objects';
import { withLosses } from './losses/add-losses';
import { counterpartsOf } from './losses/counterparts';
import { withoutToolKeys } from './tool-keys';
import { metricsOf } from './monitors';
import { peerWorkloadsOf } from './peer-workloads';
import { isAddedKey, isRendered } from './rendered';
import { type NativeObject } from './native-object';
import { type Note } from './note';
import { removeRejectedFields } from './remove-rejected-fields';

/** Workload to import, with options. */
export interface ImportRequest {
  readonly object: NativeObject;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly relatedObjects: readonly NativeObject[];
  /** Objects of its namespace that may create pods, also those that are not imported. @default - the related objects */
  readonly podOwners?: readonly NativeObject[];
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
  /** Native objects that the resource replaces, or that the notes name. */
  readonly related: readonly NativeObject[];
  /** Remaining problems, which need manual changes. */
  readonly problems: readonly Problem[];
}

/** Converts a native workload to a custom resource; undefined for other kinds. */
export function importWorkload(request: ImportRequest): ImportedWorkload | undefined {
  const { object, relatedObjects, cluster } = request;
  const target = importTargetOf(object);
  if (!target) return undefined;
  const name = request.name ?? nameOf(object);
  const namespace = object.metadata.namespace ?? request.namespace;
  const notes: Note[] = [];
  const adoption = adoptionOf({ ...object, metadata: { ...object.metadata, namespace } }, target, name);
  const peers = peerWorkloadsOf(inNamespace(request.podOwners ?? relatedObjects, namespace), object);
  const source = {
    object,
    name,
    relatedObjects: inNamespace(relatedObjects, namespace),
    peers,
    cluster,
    namespace,
    notes,
  };
  const hook = helmHookOf(object);
  if (hook !== undefined) notes.push(lostHook(object, hook));
  if (object.metadata.generateName !== undefined) notes.push(generatedName(object, name));
  const related = relatedObjectsOf(source);
  const { template, ...converted } = target.specOf(source);
  const spec = { ...metricsOf(related), ...converted, ...accessOf(related), ...fieldIfSet('template', template) };
  const draft = {
    apiVersion,
    kind: target.kind,
    metadata: { name, namespace, ...metadataOf(object, spec) },
    spec: { ...(adoption.adopt && { adopt: true }), ...spec },
  };
  const { document, problems } = removeRejectedFields(
    draft,
    (current) => problemsOf(current, cluster, namespace),
    notes,
  );
  const connected = connectedObjectsOf(related);
  return {
    document: document as unknown as ManifestInput,
    adoption,
    notes: [
      ...notesWithLosses(document, source, namespace),
      ...connected.map(({ object: { kind, metadata }, message }) => ({ subject: `${kind} ${metadata.name}`, message })),
    ],
    related: [...counterpartsOf(related, []).map(({ native }) => native), ...connected.map((entry) => entry.object)],
    problems,
  };
}

/** Returns the name of an object, without the dash before what the API server adds to a generated one. */
const nameOf = ({ metadata: { name, generateName } }: NativeObject): string =>
  generateName === undefined ? name : name.replace(/-+$/, '');

const generatedName = ({ kind, metadata }: NativeObject, name: string): Note => ({
  subject: `${kind} ${metadata.name}: metadata.generateName`,
  message: `each object created from it had a name of its own; the custom resource has the name ${name}: change it for each run`,
});

const lostHook = ({ kind, metadata }: NativeObject, hook: string): Note => ({
  subject: `${kind} ${metadata.name}: metadata.annotations["helm.sh/hook"]`,
  message: `${hook} is when Helm ran it; the custom resource runs when it is applied`,
});

/** Returns the objects of a document, also if the platform rejects it; undefined if it is too invalid to have any. */
function objectsOf(
  document: Fields,
  cluster: PlatformContext,
  namespace: string,
): readonly KubernetesObject[] | undefined {
  const { manifest } = safeParseManifest(document);
  if (!manifest) return undefined;
  try {
    return expandUnchecked(manifest as Workload, cluster.project(namespace));
  } catch {
    // Expansion relies on the rules that a rejected workload violates.
    return undefined;
  }
}

/** Returns the notes with what the objects of a document lose, also if the platform rejects it. */
function notesWithLosses(document: Fields, source: KindSource, namespace: string): readonly Note[] {
  const objects = objectsOf(document, source.cluster, namespace);
  if (objects) return withLosses(source.notes, relatedObjectsOf(source), objects);
  const { kind, metadata } = source.object;
  const message =
    'the custom resource is invalid, so its objects cannot be compared with these; correct it as the errors say, and compare the output of pinion render';
  return [...source.notes, { subject: `${kind} ${metadata.name}`, message }];
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

/** Returns the labels and annotations of the object, without those of tools, and labels that would change those of its pods. */
function metadataOf(object: NativeObject, { template }: Fields): Fields {
  const { labels = {}, annotations = {} } = object.metadata;
  const rendered = isRendered(object);
  const pods = labelsAt(template, 'metadata', 'labels');
  const isOwn = (key: string): boolean => !(rendered && isAddedKey(key));
  const ownLabels = Object.entries(withoutToolKeys(labels)).filter(
    ([key, value]) => isOwn(key) && (pods[key] ?? value) === value && !/(^|\.)(kubernetes\.io|k8s\.io)\//.test(key),
  );
  const ownAnnotations = rendered ? [] : Object.entries(withoutToolKeys(annotations)).filter(([key]) => isOwn(key));
  return {
    ...fieldIfSet('labels', Object.fromEntries(ownLabels)),
    ...fieldIfSet('annotations', Object.fromEntries(ownAnnotations)),
  };
}
