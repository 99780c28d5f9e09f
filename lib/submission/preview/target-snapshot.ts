import { isDeepStrictEqual } from 'node:util';
import {
  apiVersion,
  redactProblem,
  safeParseManifest,
  type ResourceList,
  type ManifestInput,
  type PlatformManifest,
  type PodSpec,
  type Problem,
  type Workload,
} from '../../api';
import { type ArtifactResource } from '../../artifact';
import {
  admits,
  safeExpand,
  expandUnchecked,
  resolvePlatform,
  withoutDeployment,
  workloadFootprint,
  revisionRecordOf,
  type PlatformContext,
  type DaemonNodes,
  type KubernetesObject,
  type SchedulableNode,
  type ProjectContext,
} from '../../expand';
import { type LiveObject } from '../../kube';
import { LruCache } from '../lru-cache';
import { WorkloadContexts, type PlatformRecord } from './workload-contexts';

/** State of a cluster that is a deployment target. */
interface TargetState extends PlatformRecord {
  /** Name of the cluster. */
  readonly name: string;
  /** Its parsed Platform, RuntimeProfiles and Projects. */
  readonly documents: readonly PlatformManifest[];
  /** Its nodes; if only their number is known, their capacity is not checked. */
  readonly nodes: readonly SchedulableNode[] | number;
}

/** Workload with its expansion and requests. */
export interface ExpandedWorkload {
  readonly workload: Workload;
  /** Context of its expansion. */
  readonly context: ProjectContext;
  readonly objects: readonly KubernetesObject[];
  /** Peak requests as counted by quotas. */
  readonly peak: ResourceList;
}

/** A checked resource of an artifact; without `known` if it cannot be expanded. */
export interface ExpansionResult {
  readonly known?: ExpandedWorkload;
  readonly problems: readonly Problem[];
}

/**
 * Maximum number of cached expansions of live workloads, and of those to deploy; for other workloads only requests are
 * cached.
 */
const maxCachedExpansions = 512;

/**
 * State of a cluster at one moment; computed results are cached.
 *
 * Immutable: a changed resource or node requires a new snapshot. Live workloads are cached by UID and generation,
 * resources of artifacts by identity. Throws a `ProblemsError` if the platform's resources are inconsistent.
 */
export class TargetSnapshot {
  readonly name: string;
  readonly nodes: TargetState['nodes'];
  readonly #cluster: PlatformContext;
  readonly #contexts: WorkloadContexts;
  readonly #peaks = new Map<string, { readonly stamp: string; readonly peak: ResourceList }>();
  readonly #expansions = new LruCache<{ readonly stamp: string; readonly known: ExpandedWorkload | undefined }>(
    maxCachedExpansions,
  );
  readonly #parsed = new WeakMap<ArtifactResource, ReturnType<typeof safeParseManifest>>();
  readonly #checked = new WeakMap<ArtifactResource, Map<ProjectContext, ExpansionResult>>();
  /** Last checked workload of each name: usually the next live one. */
  readonly #expected = new LruCache<ExpandedWorkload>(maxCachedExpansions);
  readonly #variants = new WeakMap<Workload, Map<string, ExpandedWorkload | undefined>>();
  readonly #daemonNodes: DaemonNodes;

  constructor({ name, documents, nodes, ...record }: TargetState) {
    this.name = name;
    this.nodes = nodes;
    this.#cluster = resolvePlatform(documents);
    this.#contexts = new WorkloadContexts(this.#cluster, record);
    this.#daemonNodes =
      typeof nodes === 'number' ? nodes : (pod: PodSpec) => nodes.filter((node) => admits(node, pod)).length;
  }

  get platform(): PlatformManifest<'Platform'> {
    return this.#cluster.platform;
  }

  /** Returns the context of a project with the present Platform. */
  projectContext(project: string): ProjectContext {
    return this.#contexts.current(project);
  }

  /** Returns the peak requests of a live workload; empty if it cannot be expanded. */
  peakOf(live: LiveObject): ResourceList {
    const { uid } = live.metadata;
    const stamp = stampOf(live);
    const cached = this.#peaks.get(uid);
    if (cached?.stamp === stamp) return cached.peak;
    const expected = this.#expected.get(keyOf(live));
    const known = expected && isAsWritten(live, expected.workload) ? expected : this.#expandWritten(live);
    const peak = known?.peak ?? {};
    this.#peaks.set(uid, { stamp, peak });
    return peak;
  }

  /** Returns a live workload with its expansion; undefined if it cannot be expanded. */
  expandLive(live: LiveObject): ExpandedWorkload | undefined {
    const { uid } = live.metadata;
    const stamp = stampOf(live);
    const cached = this.#expansions.get(uid);
    const entry = cached?.stamp === stamp ? cached : { stamp, known: this.#expandWritten(live) };
    this.#expansions.set(uid, entry);
    return entry.known;
  }

  /**
   * Checks a resource of an artifact, and the live workload that it replaces; it reports the same problems as the other entry points.
   * With rollouts it is checked at the revision that it follows then, else with the present Platform.
   */
  expandResource(resource: ArtifactResource, live?: LiveObject): ExpansionResult {
    const found = this.#parsed.get(resource) ?? safeParseManifest(resource);
    this.#parsed.set(resource, found);
    if (!found.manifest) return { problems: found.problems.map(redactProblem) };
    const workload = found.manifest as Workload;
    const context = this.#contexts.hasRevisions
      ? this.contextAfter(workload, live, { isScaled: false })
      : this.projectContext(workload.metadata.namespace);
    const byContext = this.#checked.get(resource) ?? new Map<ProjectContext, ExpansionResult>();
    const checked = byContext.get(context) ?? this.#checkWorkload(workload, context, found.problems);
    this.#checked.set(resource, byContext.set(context, checked));
    if (checked.known) this.#expected.set(keyOf(resource), checked.known);
    return checked;
  }

  /** Returns the context that the controller expands a live workload in. */
  contextOf(live: LiveObject): ProjectContext {
    return this.#contexts.of(live, this.expandLive(live)?.workload);
  }

  /** Returns the context that the controller expands a workload in after its deployment. */
  contextAfter(
    workload: Workload,
    live: LiveObject | undefined,
    scale: { readonly isScaled: boolean },
  ): ProjectContext {
    const previous = live && this.expandLive(live)?.workload;
    return this.#contexts.after({ workload, live, previous }, scale);
  }

  /** Returns the objects of a workload in a context; undefined if it cannot be expanded. */
  objectsIn(known: ExpandedWorkload, context: ProjectContext): readonly KubernetesObject[] | undefined {
    const { workload, objects } = known;
    return context === known.context ? objects : orUndefined(() => expandUnchecked(workload, context));
  }

  /** Returns a workload with another spec; undefined if that is invalid. Cached by `name`. */
  withSpec({ workload, context }: ExpandedWorkload, name: string, spec: () => unknown): ExpandedWorkload | undefined {
    let others = this.#variants.get(workload);
    if (!others) this.#variants.set(workload, (others = new Map<string, ExpandedWorkload | undefined>()));
    if (!others.has(name))
      others.set(
        name,
        this.#expandDocument({ ...written(workload), spec: spec() }, () => context),
      );
    return others.get(name);
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#peaks.delete(uid);
    this.#expansions.drop(uid);
  }

  #expandWritten(live: LiveObject): ExpandedWorkload | undefined {
    const contextOf = (workload: Workload): ProjectContext =>
      this.#contexts.hasRevisions
        ? this.#contexts.of(live, workload)
        : this.#contexts.current(workload.metadata.namespace);
    return this.#expandDocument({ ...written(live), spec: live['spec'] }, contextOf);
  }

  #expandDocument(document: object, contextOf: (workload: Workload) => ProjectContext): ExpandedWorkload | undefined {
    const { manifest } = safeParseManifest(document);
    return manifest && this.#expandIn(manifest as Workload, contextOf(manifest as Workload));
  }

  #checkWorkload(workload: Workload, context: ProjectContext, found: readonly Problem[]): ExpansionResult {
    const { objects, problems } = safeExpand(workload, context);
    const known = objects ? this.#withPeak({ workload, context, objects }) : this.#expandIn(workload, context);
    return { ...(known && { known }), problems: [...found, ...problems].map(redactProblem) };
  }

  #expandIn(workload: Workload, context: ProjectContext): ExpandedWorkload | undefined {
    const objects = orUndefined(() => expandUnchecked(workload, context));
    return objects && this.#withPeak({ workload, context, objects });
  }

  #withPeak(known: Omit<ExpandedWorkload, 'peak'>): ExpandedWorkload {
    return { ...known, peak: workloadFootprint(known.workload, known.objects, this.#daemonNodes) };
  }
}

const keyOf = ({ kind, metadata: { namespace, name } }: Pick<LiveObject, 'kind' | 'metadata'> | ArtifactResource) =>
  `${kind}/${namespace}/${name}`;

/** Returns whether a live workload equals its manifest, apart from defaults that API servers set. */
const isAsWritten = ({ metadata, spec }: LiveObject, workload: Workload): boolean =>
  isDeepStrictEqual(spec, workload.spec) &&
  isDeepStrictEqual(withoutDeployment(metadata.annotations) ?? {}, workload.metadata.annotations ?? {});

/** Returns undefined if the cluster lacks what the workload requires. */
function orUndefined<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

/** Its revision changes without its generation. */
function stampOf({ metadata: { generation, resourceVersion }, status }: LiveObject): string {
  const revision = revisionRecordOf(status)?.name ?? '';
  return generation === undefined ? resourceVersion : `generation ${generation} ${revision}`;
}

/** Returns the head of a manifest as a user writes it. */
function written({ kind, metadata }: Pick<LiveObject, 'kind'> & { readonly metadata: ManifestInput['metadata'] }) {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}
