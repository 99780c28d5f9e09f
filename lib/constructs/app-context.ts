import { type IConstruct } from 'constructs';
import {
  safeParseManifest,
  explainProblem,
  isError,
  isPlatformKind,
  ProblemsError,
  type ManifestInput,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
  type Source,
  type Workload,
} from '../api';
import {
  resolvePlatform,
  uncontestedNames,
  WorkloadSet,
  type KubernetesObject,
  type PlatformContext,
  type ProjectContext,
} from '../expand';
import { captureCallSite } from './call-site';
import { nearestPlatformFile, readPlatformFile, pathFromWorkingFolder } from './platform-file';

/** Source of an app's Platform: a file of manifests, or the manifests themselves. */
export type PlatformSource = string | readonly ManifestInput<PlatformKind>[];

/** A manifest in the app's own tree, and its source location. */
interface TreeManifest {
  readonly document: PlatformManifest;
  readonly source: Source | undefined;
}

/** A valid workload in the app's own tree, with its native objects and the path and location of its construct. */
interface TreeWorkload {
  readonly path: string;
  readonly source: () => Source | undefined;
  readonly workload: Workload;
  readonly objects: readonly KubernetesObject[];
  readonly context: ProjectContext;
}

const contextsByRoot = new WeakMap<IConstruct, AppContext>();

/** State shared by all constructs of an app: its platform manifests, resolved once, and the names in use. */
export class AppContext {
  /** Problems of the platform manifests themselves. */
  readonly problems: Problem[] = [];
  /** Origin of the Platform: a file, `inline`, `constructs` or `built-in`; undefined until a construct needs it. */
  origin: string | undefined;
  private externalManifests: readonly PlatformManifest[] | undefined;
  private readonly treeManifests: TreeManifest[] = [];
  private resolved: PlatformContext | 'failed' | undefined;
  private readonly contexts = new Map<string, ProjectContext>();
  private readonly usedNames = new Set<string>();
  /** Valid workloads, by their names in problems. */
  private readonly workloads = new Map<string, TreeWorkload>();

  private constructor(root: IConstruct) {
    root.node.addValidation({
      validate: () => [...this.problems, ...this.problemsOfAllWorkloads()].filter(isError).map(explainProblem),
    });
  }

  /** Adds a valid workload with its native objects, or replaces it if its manifest has changed. */
  addWorkload(
    construct: IConstruct,
    workload: Workload,
    objects: readonly KubernetesObject[],
    context: ProjectContext,
  ): void {
    const { kind, metadata } = workload;
    const object = `${kind} ${metadata.namespace}/${metadata.name}`;
    const source = this.workloads.get(object)?.source ?? captureCallSite();
    this.workloads.set(object, { path: construct.node.path, source, workload, objects, context });
  }

  /** Returns what is wrong only with all workloads of the app in view. */
  problemsOfAllWorkloads(): readonly Problem[] {
    const whereIs = (object: string) => `at ${this.workloads.get(object)?.path ?? ''}`;
    if (this.workloads.size === 0) return [];
    const set = new WorkloadSet();
    for (const [object, { workload, objects, context }] of this.workloads) set.add(object, workload, objects, context);
    return set.problems(whereIs).map((problem) => {
      const { object = '' } = problem;
      const project = this.treeManifests.find(
        ({ document }) => `${document.kind} ${document.metadata.name}` === object,
      );
      return withSource(problem, this.workloads.get(object)?.source() ?? project?.source);
    });
  }

  /** Returns the context of the app that a construct belongs to. */
  static of(scope: IConstruct): AppContext {
    const { root } = scope.node;
    let context = contextsByRoot.get(root);
    if (!context) contextsByRoot.set(root, (context = new AppContext(root)));
    return context;
  }

  /** Sets the source of the Platform, instead of the nearest file. */
  setPlatform(platform: PlatformSource): void {
    this.externalManifests =
      typeof platform === 'string'
        ? this.readFile(platform)
        : this.acceptPlatformManifests(
            'inline',
            platform.map((value) => ({ value })),
          );
  }

  /** Adds a manifest of the tree, which overrides an external one of the same name. Returns problems, such as a manifest that is added too late. */
  add(document: PlatformManifest, source: Source | undefined): Problem[] {
    const isLate =
      document.kind === 'Project' ? this.contexts.has(document.metadata.name) : this.resolved !== undefined;
    this.treeManifests.push({ document, source });
    if (!isLate) return [];
    const [path, value] = [['metadata', 'name'], document.metadata.name];
    const reason = 'is created after constructs that depend on it';
    return [{ code: 'invalid-combination', path, value, reason, remedy: `create this ${document.kind} before them` }];
  }

  /** Reserves the name of an object; returns false if another construct has it. */
  reserveName(object: string): boolean {
    if (this.usedNames.has(object)) return false;
    this.usedNames.add(object);
    return true;
  }

  /** Returns the context of a project's workloads; undefined if the platform manifests have problems. */
  project(project: string): ProjectContext | undefined {
    const cluster = this.cluster();
    if (!cluster) return undefined;
    let context = this.contexts.get(project);
    if (!context) {
      context = cluster.project(project);
      const own = this.treeManifests.find(
        ({ document }) => document.kind === 'Project' && document.metadata.name === project,
      );
      // Projects are added one at a time: resolving all of them again for each would be quadratic.
      if (own && own.document !== context.project)
        context = {
          ...context,
          project: own.document as ProjectContext['project'],
          ...uncontestedNames(own.document as ProjectContext['project'], context.platform),
          assumed: context.assumed.filter((kind) => kind !== 'Project'),
        };
      this.contexts.set(project, context);
    }
    return context;
  }

  /** Returns the context of the cluster; undefined if the platform manifests have problems. */
  cluster(): PlatformContext | undefined {
    this.resolved ??= this.resolve();
    return this.resolved === 'failed' ? undefined : this.resolved;
  }

  private resolve(): PlatformContext | 'failed' {
    this.externalManifests ??= this.readNearestFile();
    const key = ({ kind, metadata }: PlatformManifest) => `${kind} ${metadata.name}`;
    const own = new Set(this.treeManifests.map(({ document }) => key(document)));
    const documents = [
      ...this.treeManifests.map(({ document }) => document),
      ...this.externalManifests.filter((document) => !own.has(key(document))),
    ];
    if (this.treeManifests.some(({ document }) => document.kind === 'Platform')) this.origin = 'constructs';
    else if (!documents.some(({ kind }) => kind === 'Platform')) this.origin = 'built-in';
    if (this.problems.some(isError)) return 'failed';
    try {
      return resolvePlatform(documents);
    } catch (error) {
      if (!(error instanceof ProblemsError)) throw error;
      const sources = new Map(this.treeManifests.map(({ document, source }) => [key(document), source]));
      this.problems.push(...error.problems.map((problem) => withSource(problem, sources.get(problem.object ?? ''))));
      return 'failed';
    }
  }

  private readNearestFile(): readonly PlatformManifest[] {
    const file = nearestPlatformFile();
    return file === undefined ? [] : this.readFile(file);
  }

  private readFile(path: string): readonly PlatformManifest[] {
    const { documents, problems } = readPlatformFile(path);
    this.problems.push(...problems);
    return this.acceptPlatformManifests(pathFromWorkingFolder(path), documents);
  }

  private acceptPlatformManifests(
    origin: string,
    values: readonly { value: unknown; locate?: (path: Problem['path']) => Source }[],
  ): readonly PlatformManifest[] {
    this.origin = origin;
    const accepted: PlatformManifest[] = [];
    for (const { value, locate } of values) {
      const { manifest, problems } = safeParseManifest(value);
      const allProblems = [...problems];
      if (manifest && isPlatformKind(manifest.kind)) accepted.push(manifest as PlatformManifest);
      else if (manifest)
        allProblems.push({
          code: 'unknown-kind',
          path: ['kind'],
          value: manifest.kind,
          reason: 'is not a platform manifest',
          remedy: 'pass Platform, RuntimeProfile and Project manifests only',
        });
      this.problems.push(...allProblems.map((problem) => withSource(problem, locate?.(problem.path))));
    }
    return accepted;
  }
}

/** Adds a source location to a problem that has none. */
export const withSource = (problem: Problem, source: Source | undefined): Problem =>
  source && !problem.source ? { ...problem, source } : problem;
