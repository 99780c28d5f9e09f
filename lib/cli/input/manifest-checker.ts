import { safeParseManifest, isError, type PlatformManifest, type Problem, type Workload } from '../../api';
import {
  safeExpand,
  renderPlatform,
  expandProject,
  needsController,
  projectReferenceProblems,
  type PlatformContext,
  type KubernetesObject,
} from '../../expand';
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
}

/** Checks documents in order; their names and the names of their objects must differ from all earlier ones. */
export class ManifestChecker {
  /** Source document of each object, by name. */
  private readonly owners = new Map<string, InputDocument>();
  constructor(private readonly options: CheckOptions) {}

  check(document: InputDocument): CheckedDocument {
    const problems: Problem[] = [];
    const objects = this.objectsOf(document, problems);
    if (objects) this.checkDuplicates(document, objects, problems);
    return {
      document,
      objects: problems.some(isError) ? undefined : objects,
      problems: problems.map((problem) => withProblemSource(problem, document.read)),
    };
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
    if (!manifest) return undefined;
    return this.expandWorkload(manifest as Workload, document.value, problems);
  }

  private expandWorkload(
    workload: Workload,
    value: InputDocument['value'],
    problems: Problem[],
  ): readonly KubernetesObject[] | undefined {
    const { cluster, asController, asResource } = this.options;
    if (!cluster) return undefined;
    const context = cluster.project(workload.metadata.namespace);
    if (!asController && !asResource) {
      const object = nameOf(value);
      problems.push(...needsController(workload, context).map((problem) => ({ ...problem, object })));
    }
    const expanded = safeExpand(workload, context);
    problems.push(...expanded.problems);
    return expanded.objects && (asResource ? [withoutStatus(value)] : expanded.objects);
  }

  /** Returns problems of references to the Platform, if it is known. */
  private referenceProblems(manifest: PlatformManifest): readonly Problem[] {
    const { cluster } = this.options;
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
