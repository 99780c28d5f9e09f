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
} from '../api';
import { resolvePlatform, type PlatformContext, type ProjectContext } from '../expand';
import { nearestPlatformFile, readPlatformFile, pathFromWorkingFolder } from './platform-file';

/** Where an app learns of its Platform: a file of documents, or the documents themselves. */
export type PlatformSource = string | readonly ManifestInput<PlatformKind>[];

/** A document that the app's own tree holds, and where it was written. */
interface TreeDocument {
  readonly document: PlatformManifest;
  readonly source: Source | undefined;
}

const known = new WeakMap<IConstruct, AppContext>();

/** What all constructs of one app share: the documents of its platform, brought together once, and the names that are taken. */
export class AppContext {
  /** What is wrong with the documents of the platform themselves. */
  readonly problems: Problem[] = [];
  /** Where the Platform comes from: a file, `given`, `constructs` or `built-in`; undefined until a construct asks. */
  origin: string | undefined;
  private outside: readonly PlatformManifest[] | undefined;
  private readonly inside: TreeDocument[] = [];
  private resolved: PlatformContext | 'failed' | undefined;
  private readonly worlds = new Map<string, ProjectContext>();
  private readonly taken = new Set<string>();

  private constructor(root: IConstruct) {
    root.node.addValidation({ validate: () => this.problems.filter(isError).map(explainProblem) });
  }

  /** The surroundings of the app that a construct belongs to. */
  static of(scope: IConstruct): AppContext {
    const { root } = scope.node;
    let surroundings = known.get(root);
    if (!surroundings) known.set(root, (surroundings = new AppContext(root)));
    return surroundings;
  }

  /** Says where the Platform comes from, instead of the nearest file. */
  give(platform: PlatformSource): void {
    this.outside =
      typeof platform === 'string'
        ? this.readFile(platform)
        : this.accept(
            'given',
            platform.map((value) => ({ value })),
          );
  }

  /** Adds a document of the tree; it wins over one of the same name from outside. Says what is wrong with adding it here. */
  add(document: PlatformManifest, source: Source | undefined): Problem[] {
    const late = document.kind === 'Project' ? this.worlds.has(document.metadata.name) : this.resolved !== undefined;
    this.inside.push({ document, source });
    if (!late) return [];
    const [path, value] = [['metadata', 'name'], document.metadata.name];
    const reason = 'is described after constructs that lean on it';
    return [{ code: 'invalid-combination', path, value, reason, remedy: `create this ${document.kind} before them` }];
  }

  /** Takes the name of an object of ours; false when another construct has it already. */
  take(object: string): boolean {
    if (this.taken.has(object)) return false;
    this.taken.add(object);
    return true;
  }

  /** The world as a project's workloads see it; undefined where the platform's documents have problems. */
  world(project: string): ProjectContext | undefined {
    const cluster = this.cluster();
    if (!cluster) return undefined;
    let world = this.worlds.get(project);
    if (!world) {
      world = cluster.project(project);
      const own = this.inside.find(({ document }) => document.kind === 'Project' && document.metadata.name === project);
      // Projects join one by one: resolving all anew for each would be quadratic.
      if (own && own.document !== world.project)
        world = {
          ...world,
          project: own.document as ProjectContext['project'],
          assumed: world.assumed.filter((kind) => kind !== 'Project'),
        };
      this.worlds.set(project, world);
    }
    return world;
  }

  /** What is known of the cluster; undefined where the platform's documents have problems. */
  cluster(): PlatformContext | undefined {
    this.resolved ??= this.resolve();
    return this.resolved === 'failed' ? undefined : this.resolved;
  }

  private resolve(): PlatformContext | 'failed' {
    this.outside ??= this.nearest();
    const key = ({ kind, metadata }: PlatformManifest) => `${kind} ${metadata.name}`;
    const own = new Set(this.inside.map(({ document }) => key(document)));
    const documents = [
      ...this.inside.map(({ document }) => document),
      ...this.outside.filter((document) => !own.has(key(document))),
    ];
    if (this.inside.some(({ document }) => document.kind === 'Platform')) this.origin = 'constructs';
    else if (!documents.some(({ kind }) => kind === 'Platform')) this.origin = 'built-in';
    if (this.problems.some(isError)) return 'failed';
    try {
      return resolvePlatform(documents);
    } catch (error) {
      if (!(error instanceof ProblemsError)) throw error;
      const sources = new Map(this.inside.map(({ document, source }) => [key(document), source]));
      this.problems.push(...error.problems.map((problem) => withSource(problem, sources.get(problem.object ?? ''))));
      return 'failed';
    }
  }

  private nearest(): readonly PlatformManifest[] {
    const file = nearestPlatformFile();
    return file === undefined ? [] : this.readFile(file);
  }

  private readFile(path: string): readonly PlatformManifest[] {
    const { documents, problems } = readPlatformFile(path);
    this.problems.push(...problems);
    return this.accept(pathFromWorkingFolder(path), documents);
  }

  private accept(
    origin: string,
    values: readonly { value: unknown; locate?: (path: Problem['path']) => Source }[],
  ): readonly PlatformManifest[] {
    this.origin = origin;
    const accepted: PlatformManifest[] = [];
    for (const { value, locate } of values) {
      const { completed, problems } = safeParseManifest(value);
      const found = [...problems];
      if (completed && isPlatformKind(completed.kind)) accepted.push(completed as PlatformManifest);
      else if (completed)
        found.push({
          code: 'unknown-kind',
          path: ['kind'],
          value: completed.kind,
          reason: 'says nothing about a platform',
          remedy: 'give Platform, RuntimeProfile and Project documents here',
        });
      this.problems.push(...found.map((problem) => withSource(problem, locate?.(problem.path))));
    }
    return accepted;
  }
}

/** A problem that says where its cause was written. */
export const withSource = (problem: Problem, source: Source | undefined): Problem =>
  source && !problem.source ? { ...problem, source } : problem;
