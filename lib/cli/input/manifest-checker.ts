import { formatPath, safeParseManifest, isError, type PlatformManifest, type Problem, type Workload } from '../../api';
import {
  expandUnchecked,
  safeExpand,
  renderPlatform,
  expandProject,
  needsController,
  problemsOfValidFields,
  WorkloadSet,
  projectReferenceProblems,
  rolloutReferenceProblems,
  type PlatformContext,
  type KubernetesObject,
  type LiveNeighbors,
} from '../../expand';
import { type TargetCluster } from './target-cluster';
import { nameOf, withProblemSource, type InputDocument } from './input-documents';

/** Result of checking an input document. */
export interface CheckedDocument {
  readonly document: InputDocument;
  /** Undefined if the document or the cluster's manifests have errors. */
  readonly objects: readonly KubernetesObject[] | undefined;
  readonly problems: readonly Problem[];
}

/** Options of a check. */
export interface CheckOptions {
  readonly cluster: PlatformContext | undefined;
  /** Whether to return the custom resources themselves. @default false */
  readonly asResource?: boolean;
  /** Whether to accept features that need the controller. @default false */
  readonly asController?: boolean;
  /** Remedy of features that need the controller. @default - apply the custom resource */
  readonly useController?: string;
}

/** Checks documents in order; their names and the names of their objects must differ from all earlier ones. */
export class ManifestChecker {
  /** Source document of each object, by name. */
  private readonly owners = new Map<string, InputDocument>();
  /** Documents by the names of their objects in problems. */
  private readonly documents = new Map<string, InputDocument>();
  private readonly set = new WorkloadSet();
  constructor(private readonly options: CheckOptions) {}

  check(document: InputDocument): CheckedDocument {
    const problems: Problem[] = [];
    this.addToSet(document);
    const objects = this.objectsOf(document, problems);
    if (objects) this.checkDuplicates(document, objects, problems);
    return {
      document,
      objects: problems.some(isError) ? undefined : objects,
      problems: problems.map((problem) => withProblemSource(problem, document.read)),
    };
  }

  /** Returns what is wrong only with all documents in view; `target` finds fields of the cluster's manifests. */
  finish(target: Pick<TargetCluster, 'locate'>): readonly Problem[] {
    return this.located(this.set.problems(this.whereIs), target);
  }

  /** Returns what is wrong only with all documents and the cluster in view; `read` reads what the documents need to know of it. */
  async finishLive(
    target: Pick<TargetCluster, 'locate'>,
    read: (set: WorkloadSet) => Promise<LiveNeighbors>,
  ): Promise<readonly Problem[]> {
    return this.located(this.set.problems(this.whereIs, await read(this.set)), target);
  }

  /** Returns what is wrong only with the cluster in view. */
  async liveProblems(
    target: Pick<TargetCluster, 'locate'>,
    read: (set: WorkloadSet) => Promise<LiveNeighbors>,
  ): Promise<readonly Problem[]> {
    return this.located(this.set.liveProblems(await read(this.set)), target);
  }

  private readonly whereIs = (object: string): string => {
    const source = this.documents.get(object)?.read.locate(['metadata', 'name']);
    return source ? `at ${source.file}:${source.line}` : '';
  };

  private located(problems: readonly Problem[], target: Pick<TargetCluster, 'locate'>): readonly Problem[] {
    return problems.map((problem) => {
      const { object = '', path } = problem;
      const located = withProblemSource(problem, this.documents.get(object)?.read);
      const source = located.source ?? target.locate(object, path);
      return source ? { ...located, source } : located;
    });
  }

  private addToSet(document: InputDocument): void {
    const { is, value } = document;
    if (is === 'platform') return;
    const object = nameOf(value);
    const { namespace, name } = (value['metadata'] ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
    if (!this.documents.has(object)) this.documents.set(object, document);
    if (typeof namespace === 'string' && typeof name === 'string') this.set.addName(namespace, name);
    if (is === 'foreign') this.set.addObject(object, value as KubernetesObject);
  }

  /** Returns the objects of a valid document, without checking for duplicates. */
  objectsOf(document: InputDocument, problems: Problem[]): readonly KubernetesObject[] | undefined {
    if (document.is === 'foreign') return [document.value as KubernetesObject];
    if (document.is === 'platform') {
      problems.push(...this.referenceProblems(document.manifest));
      return this.expandPlatformManifest(document.manifest, document.context, document.value);
    }
    const { manifest, problems: found } = safeParseManifest(document.value);
    problems.push(...found);
    if (!manifest) {
      problems.push(
        ...problemsOfValidFields(document.value, found, (project) => this.options.cluster?.project(project)),
      );
      return undefined;
    }
    return this.expandWorkload(manifest as Workload, document, problems);
  }

  private expandWorkload(
    workload: Workload,
    { value, openFields = [] }: InputDocument,
    problems: Problem[],
  ): readonly KubernetesObject[] | undefined {
    const { cluster, asController, asResource, useController } = this.options;
    if (!cluster) return undefined;
    const context = cluster.project(workload.metadata.namespace);
    if (!asController && !asResource) {
      const object = nameOf(value);
      problems.push(...needsController(workload, context, useController).map((problem) => ({ ...problem, object })));
    }
    const expanded = safeExpand(workload, context);
    // An image without a digest gets one when it is published.
    const open = new Set(openFields.map(({ path }) => formatPath(path)));
    const known = expanded.problems.filter(({ rule, path }) => rule !== 'image-digest' || !open.has(formatPath(path)));
    problems.push(...known);
    const isOpen = known.length < expanded.problems.length && !known.some(isError);
    const objects = isOpen ? expandUnchecked(workload, context) : expanded.objects;
    if (objects) this.set.add(nameOf(value), workload, objects, context);
    return objects && (asResource ? [withoutStatus(value)] : objects);
  }

  /** Returns problems of references to the Platform, if it is known. */
  private referenceProblems(manifest: PlatformManifest): readonly Problem[] {
    const { cluster } = this.options;
    if (manifest.kind === 'Platform') return rolloutReferenceProblems(manifest, cluster?.projectNames ?? []);
    if (!cluster || manifest.kind !== 'Project') return [];
    const isAssumed = cluster.project(manifest.metadata.name).assumed.includes('Platform');
    return isAssumed ? [] : projectReferenceProblems(manifest, cluster);
  }

  private expandPlatformManifest(
    document: PlatformManifest,
    context: boolean,
    value: InputDocument['value'],
  ): readonly KubernetesObject[] | undefined {
    const { cluster, asResource } = this.options;
    if (context) return [];
    if (asResource) return [withoutStatus(value)];
    if (!cluster) return undefined;
    if (document.kind === 'Platform') return renderPlatform(cluster);
    return document.kind === 'Project' ? expandProject(document, cluster, cluster.project(document.metadata.name)) : [];
  }

  private checkDuplicates(document: InputDocument, objects: readonly KubernetesObject[], problems: Problem[]): void {
    const own = document.is === 'workload' ? nameOf(document.value) : undefined;
    const other = own === undefined ? undefined : this.otherOwner(own, document);
    if (other) return void problems.push(duplicateOf(document, other));
    for (const object of objects) {
      const name = nameOf(object);
      // Without a name, such as files of kustomize, or with a generated one, it is an object of its own.
      if (typeof (object.metadata as { name?: unknown } | null | undefined)?.name !== 'string') continue;
      const earlier = name === own ? undefined : this.otherOwner(`${object.apiVersion} ${name}`, document);
      if (earlier) problems.push(duplicateOf(document, earlier, name));
    }
  }

  private otherOwner(key: string, document: InputDocument): InputDocument | undefined {
    const owner = this.owners.get(key);
    if (!owner) this.owners.set(key, document);
    return owner === document ? undefined : owner;
  }
}

/** Returns the problem of two documents with the same name, or that both create the object `objectName`. */
function duplicateOf(document: InputDocument, earlier: InputDocument, objectName?: string): Problem {
  const path = ['metadata', 'name'];
  const { file, line } = earlier.read.locate(path);
  const where = `the document at ${file}:${line}`;
  const reason = objectName === undefined ? `is the name of ${where}` : `creates ${objectName}, as does ${where}`;
  const { metadata } = document.value as { metadata?: { name?: unknown } };
  const remedy = 'rename one of them';
  return { code: 'duplicate', path, value: metadata?.name, reason, remedy, object: nameOf(document.value) };
}

/** Returns the resource without the fields that only the API server writes. */
function withoutStatus({ status: _, ...value }: InputDocument['value']): KubernetesObject {
  return value as KubernetesObject;
}
