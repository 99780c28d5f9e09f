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
  createProjectContext,
  platformWithProfile,
  type PlatformContext,
  type DaemonNodes,
  type KubernetesObject,
  type SchedulableNode,
  type ProjectContext,
  type RuntimeStatus,
} from '../../expand';
import { type LiveObject } from '../../kube';
import { LruCache } from '../lru-cache';

/** State of a cluster that is a deployment target. */
interface TargetState {
  /** Name of the cluster. */
  readonly name: string;
  /** Its parsed Platform, RuntimeProfiles and Projects. */
  readonly documents: readonly PlatformManifest[];
  /** Runtime profiles that its Platform has recorded. @default - none */
  readonly runtime?: RuntimeStatus | undefined;
  /** Its nodes; if only their number is known, their capacity is not checked. */
  readonly nodes: readonly SchedulableNode[] | number;
}

/** Workload with its expansion and requests. */
export interface ExpandedWorkload {
  readonly workload: Workload;
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
  readonly #documents: readonly PlatformManifest[];
  readonly #runtime: RuntimeStatus | undefined;
  readonly #contexts = new Map<string, ProjectContext>();
  readonly #peaks = new Map<string, { readonly stamp: string; readonly peak: ResourceList }>();
  readonly #expansions = new LruCache<{ readonly stamp: string; readonly known: ExpandedWorkload | undefined }>(
    maxCachedExpansions,
  );
  readonly #checked = new WeakMap<ArtifactResource, ExpansionResult>();
  /** Last checked workload of each name: usually the next live one. */
  readonly #expected = new LruCache<ExpandedWorkload>(maxCachedExpansions);
  readonly #variants = new WeakMap<Workload, Map<string, ExpandedWorkload | undefined>>();
  readonly #daemonNodes: DaemonNodes;

  constructor({ name, documents, runtime, nodes }: TargetState) {
    this.name = name;
    this.nodes = nodes;
    this.#cluster = resolvePlatform(documents);
    this.#documents = documents;
    this.#runtime = runtime;
    this.#daemonNodes =
      typeof nodes === 'number' ? nodes : (pod: PodSpec) => nodes.filter((node) => admits(node, pod)).length;
  }

  get platform(): PlatformManifest<'Platform'> {
    return this.#cluster.platform;
  }

  /** Whether deployments leave workloads on the profile of their pods, because the canary blocks the current one. */
  get keepsProfiles(): boolean {
    return this.#runtime?.rolloutBlockedReason !== undefined;
  }

  /** Returns the context of a project, with the named runtime profile if it is known. */
  projectContext(project: string, profile?: string): ProjectContext {
    const context = this.#cluster.project(project);
    if (profile === undefined || profile === context.profile.metadata.name) return context;
    const key = `${profile}/${project}`;
    let other = this.#contexts.get(key);
    const document = this.#documents.find(
      (one): one is PlatformManifest<'RuntimeProfile'> =>
        one.kind === 'RuntimeProfile' && one.metadata.name === profile,
    );
    if (!other && document)
      this.#contexts.set(
        key,
        (other = createProjectContext(
          platformWithProfile(context.platform, profile, this.#runtime),
          document,
          context.project,
        )),
      );
    return other ?? context;
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

  /** Checks a resource of an artifact; it reports the same problems as the other entry points. */
  expandResource(resource: ArtifactResource): ExpansionResult {
    let checked = this.#checked.get(resource);
    if (!checked) this.#checked.set(resource, (checked = this.#checkResource(resource)));
    if (checked.known) this.#expected.set(keyOf(resource), checked.known);
    return checked;
  }

  /** Returns the objects of a workload with a runtime profile; undefined if it cannot be expanded. */
  expandedWith(one: LiveObject | Workload, profile: string | undefined): readonly KubernetesObject[] | undefined {
    const known = isLive(one) ? this.expandLive(one) : undefined;
    const workload = isLive(one) ? known?.workload : one;
    if (!workload) return undefined;
    const project = workload.metadata.namespace;
    const context = this.projectContext(project, profile);
    if (known && context === this.projectContext(project)) return known.objects;
    return orUndefined(() => expandUnchecked(workload, context));
  }

  /** Returns a workload with another spec; undefined if that is invalid. Cached by `name`. */
  withSpec(workload: Workload, name: string, spec: () => unknown): ExpandedWorkload | undefined {
    let others = this.#variants.get(workload);
    if (!others) this.#variants.set(workload, (others = new Map<string, ExpandedWorkload | undefined>()));
    if (!others.has(name)) others.set(name, this.#expandDocument({ ...written(workload), spec: spec() }));
    return others.get(name);
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#peaks.delete(uid);
    this.#expansions.drop(uid);
  }

  #expandWritten(live: LiveObject): ExpandedWorkload | undefined {
    return this.#expandDocument({ ...written(live), spec: live['spec'] });
  }

  #expandDocument(document: object): ExpandedWorkload | undefined {
    const { manifest } = safeParseManifest(document);
    if (!manifest) return undefined;
    const workload = manifest as Workload;
    const objects = orUndefined(() => expandUnchecked(workload, this.projectContext(workload.metadata.namespace)));
    return objects && this.#withPeak(workload, objects);
  }

  #checkResource(resource: ArtifactResource): ExpansionResult {
    const found = safeParseManifest(resource);
    if (!found.manifest) return { problems: found.problems.map(redactProblem) };
    const workload = found.manifest as Workload;
    const { objects, problems } = safeExpand(workload, this.projectContext(workload.metadata.namespace));
    const known = objects ? this.#withPeak(workload, objects) : this.#expandDocument(resource);
    return { ...(known && { known }), problems: [...found.problems, ...problems].map(redactProblem) };
  }

  #withPeak(workload: Workload, objects: readonly KubernetesObject[]): ExpandedWorkload {
    return { workload, objects, peak: workloadFootprint(workload, objects, this.#daemonNodes) };
  }
}

const keyOf = ({ kind, metadata: { namespace, name } }: Pick<LiveObject, 'kind' | 'metadata'> | ArtifactResource) =>
  `${kind}/${namespace}/${name}`;

/** Returns whether a live workload equals its manifest, apart from defaults that API servers set. */
const isAsWritten = ({ metadata, spec }: LiveObject, workload: Workload): boolean =>
  isDeepStrictEqual(spec, workload.spec) &&
  isDeepStrictEqual(withoutDeployment(metadata.annotations) ?? {}, workload.metadata.annotations ?? {});

const isLive = (one: LiveObject | Workload): one is LiveObject => 'uid' in one.metadata;

/** Returns undefined if the cluster lacks what the workload requires. */
function orUndefined<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

const stampOf = ({ metadata: { generation, resourceVersion } }: LiveObject): string =>
  generation === undefined ? resourceVersion : `generation ${generation}`;

/** Returns the head of a manifest as a user writes it. */
function written({ kind, metadata }: Pick<LiveObject, 'kind'> & { readonly metadata: ManifestInput['metadata'] }) {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}
