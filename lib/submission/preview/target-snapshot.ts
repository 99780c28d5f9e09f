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
  type PlatformContext,
  type DaemonNodes,
  type KubernetesObject,
  type SchedulableNode,
  type ProjectContext,
} from '../../expand';
import { type LiveObject } from '../../kube';
import { LruCache } from '../lru-cache';

/** What is known of a cluster that may be deployed to. */
interface TargetFacts {
  /** Name of the cluster. */
  readonly name: string;
  /** Its Platform, RuntimeProfiles and Projects, completed. */
  readonly documents: readonly PlatformManifest[];
  /** Its nodes; where only their number is known nothing is said of whether they could hold a pod. */
  readonly nodes: readonly SchedulableNode[] | number;
}

/** A workload with what it becomes and asks for. */
export interface Known {
  readonly workload: Workload;
  readonly objects: readonly KubernetesObject[];
  /** What quotas count of it at its peak. */
  readonly peak: ResourceList;
}

/** A checked resource of an artifact; without `known` if it cannot be expanded. */
export interface Looked {
  readonly known?: Known;
  readonly problems: readonly Problem[];
}

/** So many live workloads are kept with all that they become, and so many that are to be deployed; of the others only what they ask for. */
const maxWhole = 512;

/**
 * State of a cluster at one moment; computed results are cached.
 *
 * The facts never change: where a document or a node did, make another one. Live workloads are remembered by uid and generation,
 * resources of artifacts by their identity. Throws a `ProblemsError` where the documents do not fit together.
 */
export class TargetSnapshot {
  readonly name: string;
  readonly nodes: TargetFacts['nodes'];
  readonly #cluster: PlatformContext;
  readonly #documents: readonly PlatformManifest[];
  readonly #contexts = new Map<string, ProjectContext>();
  readonly #peaks = new Map<string, { readonly stamp: string; readonly peak: ResourceList }>();
  readonly #whole = new LruCache<{ readonly stamp: string; readonly known: Known | undefined }>(maxWhole);
  readonly #looked = new WeakMap<ArtifactResource, Looked>();
  /** What was looked at last under each name: most often this is what lives there next. */
  readonly #expected = new LruCache<Known>(maxWhole);
  readonly #otherwise = new WeakMap<Workload, Map<string, Known | undefined>>();
  readonly #daemonNodes: DaemonNodes;

  constructor({ name, documents, nodes }: TargetFacts) {
    this.name = name;
    this.nodes = nodes;
    this.#cluster = resolvePlatform(documents);
    this.#documents = documents;
    this.#daemonNodes =
      typeof nodes === 'number' ? nodes : (pod: PodSpec) => nodes.filter((node) => admits(node, pod)).length;
  }

  get platform(): PlatformManifest<'Platform'> {
    return this.#cluster.platform;
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
      this.#contexts.set(key, (other = createProjectContext(context.platform, document, context.project)));
    return other ?? context;
  }

  /** What a live workload asks for at its peak; nothing where it cannot be expanded. */
  peakOf(live: LiveObject): ResourceList {
    const { uid } = live.metadata;
    const stamp = stampOf(live);
    const kept = this.#peaks.get(uid);
    if (kept?.stamp === stamp) return kept.peak;
    const expected = this.#expected.get(keyOf(live));
    const known = expected && isAsWritten(live, expected.workload) ? expected : this.#read(live);
    const peak = known?.peak ?? {};
    this.#peaks.set(uid, { stamp, peak });
    return peak;
  }

  /** A live workload with what it becomes; undefined where it cannot be expanded. */
  liveOf(live: LiveObject): Known | undefined {
    const { uid } = live.metadata;
    const stamp = stampOf(live);
    const kept = this.#whole.get(uid);
    const entry = kept?.stamp === stamp ? kept : { stamp, known: this.#read(live) };
    this.#whole.set(uid, entry);
    return entry.known;
  }

  /** Checks a resource of an artifact; it reports the same problems as the other entry points. */
  look(resource: ArtifactResource): Looked {
    let looked = this.#looked.get(resource);
    if (!looked) this.#looked.set(resource, (looked = this.#examined(resource)));
    if (looked.known) this.#expected.set(keyOf(resource), looked.known);
    return looked;
  }

  /** The objects of a workload as they are with a runtime profile; undefined where it cannot be expanded. */
  expandedWith(one: LiveObject | Workload, profile: string | undefined): readonly KubernetesObject[] | undefined {
    const known = isLive(one) ? this.liveOf(one) : undefined;
    const workload = isLive(one) ? known?.workload : one;
    if (!workload) return undefined;
    const project = workload.metadata.namespace;
    const context = this.projectContext(project, profile);
    if (known && context === this.projectContext(project)) return known.objects;
    return attempt(() => expandUnchecked(workload, context));
  }

  /** What a workload would be with another spec; undefined where it would not be valid. Remembered by `name`. */
  otherwise(workload: Workload, name: string, spec: () => unknown): Known | undefined {
    let others = this.#otherwise.get(workload);
    if (!others) this.#otherwise.set(workload, (others = new Map<string, Known | undefined>()));
    if (!others.has(name)) others.set(name, this.#known({ ...written(workload), spec: spec() }));
    return others.get(name);
  }

  /** Forgets a live workload that is gone. */
  forget(uid: string): void {
    this.#peaks.delete(uid);
    this.#whole.drop(uid);
  }

  #read(live: LiveObject): Known | undefined {
    return this.#known({ ...written(live), spec: live['spec'] });
  }

  #known(document: object): Known | undefined {
    const { completed } = safeParseManifest(document);
    if (!completed) return undefined;
    const workload = completed as Workload;
    const objects = attempt(() => expandUnchecked(workload, this.projectContext(workload.metadata.namespace)));
    return objects && this.#expanded(workload, objects);
  }

  #examined(resource: ArtifactResource): Looked {
    const found = safeParseManifest(resource);
    if (!found.completed) return { problems: found.problems.map(redactProblem) };
    const workload = found.completed as Workload;
    const { objects, problems } = safeExpand(workload, this.projectContext(workload.metadata.namespace));
    const known = objects ? this.#expanded(workload, objects) : this.#known(resource);
    return { ...(known && { known }), problems: [...found.problems, ...problems].map(redactProblem) };
  }

  #expanded(workload: Workload, objects: readonly KubernetesObject[]): Known {
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
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
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
