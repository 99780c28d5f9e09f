import { type ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  apiVersion,
  safeParseManifest,
  explainProblem,
  isError,
  type Manifest,
  type ManifestInput,
  type Metadata,
  type PinionKind,
  type Problem,
  type SpecInput,
} from '../api';
import { problemsOfValidFields, type KubernetesObject } from '../expand';
import { callSite } from './call-site';
import { emitOf, emitProblem, type Emit } from './emit';
import { ManifestApiObject } from './manifest-api-object';
import { plainValue } from './plus-values';
import { AppContext, withSource } from './app-context';

/** Props of every construct in addition to the fields of its kind. */
export interface DocumentProps {
  /** Name of the object in the cluster. @default - the id of the construct */
  readonly name?: string;
  /**
   * Whether to synthesize the native objects or the custom resource itself.
   * @default - as set by the chart or app, otherwise native
   */
  readonly emit?: Emit;
  /**
   * Labels and annotations of the custom resource itself.
   * @default - none; `labels` and `annotations` apply to all native objects
   */
  readonly metadata?: Pick<Metadata, 'labels' | 'annotations'>;
}

/** Base class of the constructs of all kinds: parses the props, expands the manifest and adds the objects to the tree. */
export abstract class ResourceConstruct<K extends PinionKind = PinionKind> extends Construct {
  readonly #isResourceConstruct = true;
  /** Native objects, in apply order; empty if there are errors. */
  readonly objects: readonly ApiObject[] = [];
  /** Expansion to native objects, regardless of the output. */
  protected expanded: readonly KubernetesObject[] | undefined;
  private readonly reportedProblems: Problem[] = [];
  /** Objects that the props have in place of their names. */
  protected readonly usedResources = new Set<object>();
  /** The manifest as written, with values of cdk8s converted to plain data. */
  readonly input: ManifestInput<K>;
  /** Output: native objects or the custom resource. */
  readonly emit: Emit;

  protected constructor(scope: Construct, id: string, kind: K, props: DocumentProps & { readonly project?: string }) {
    super(scope, id);
    const { name = id, emit, metadata, project, ...spec } = props;
    this.input = {
      apiVersion,
      kind,
      metadata: { name, ...(project !== undefined && { namespace: project }), ...metadata },
      spec: plainValue(spec, (resource) => this.usedResources.add(resource)) as SpecInput<K>,
    };
    this.emit = emitOf(this, emit);
  }

  /** All problems, including warnings; errors stop the synthesis of the app. */
  get problems(): readonly Problem[] {
    return this.reportedProblems;
  }

  /** Whether it only refers to an object of another app, and adds none itself. */
  get isReference(): boolean {
    return false;
  }

  /** Returns true for a construct of any pinion kind. */
  static is(construct: unknown): construct is ResourceConstruct {
    return typeof construct === 'object' && construct !== null && #isResourceConstruct in construct;
  }

  /** Expands the parsed manifest to native objects; undefined if it has errors, which are reported. */
  protected abstract expandManifest(
    document: Manifest<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined;

  /** Parses the manifest, expands it and adds the objects; called once, at the end of the constructor of each kind. */
  protected addObjects(): void {
    const { input, emit } = this;
    const problems: Problem[] = [];
    const report = (problem: Problem) => void problems.push(problem);
    if (emit !== 'native' && emit !== 'resource') report(emitProblem(emit));
    const isFree = this.isReference || AppContext.of(this).reserveName(objectOf(input));
    if (!isFree) report(duplicateName(input.metadata.name));
    this.expandInput(report);
    if (this.expanded && !this.isReference && emit === 'native') this.reserveNames(this.expanded, report);
    this.report(problems);
    if (!this.expanded || this.isReference || problems.some(isError)) return;
    const children = this.emitted().map((object) => new ManifestApiObject(this, objectId(object), object));
    Object.assign(this, { objects: children });
    const main = children.find(({ kind }) => mainKinds.has(kind)) ?? children[0];
    if (main) this.node.defaultChild = main;
  }

  /** Replaces the manifest by a changed one that results in the same objects with other contents, and reports its additional problems. */
  protected changeManifest(input: ManifestInput<K>): void {
    const problems: Problem[] = [];
    Object.assign(this, { input });
    this.expandInput((problem) => problems.push(problem));
    const known = new Set(this.reportedProblems.map(problemKey));
    this.report(problems.filter((problem) => !known.has(problemKey(problem))));
    const contents = new Map(this.emitted().map((object) => [objectId(object), object]));
    for (const child of this.objects as readonly ManifestApiObject[]) {
      const content = contents.get(child.node.id);
      if (content) child.replaceContent(content);
    }
  }

  private expandInput(report: (problem: Problem) => void): void {
    const { manifest, problems } = safeParseManifest(this.input);
    problems.forEach(report);
    if (!manifest) {
      const contextOf = (project: string) => AppContext.of(this).project(project);
      problemsOfValidFields(this.input, problems, contextOf).forEach(report);
    }
    this.expanded = manifest && this.expandManifest(manifest as Manifest<K>, report);
  }

  /** Returns the objects to add: native ones or the custom resource. */
  private emitted(): readonly KubernetesObject[] {
    return this.emit === 'resource' ? [this.input as unknown as KubernetesObject] : (this.expanded ?? []);
  }

  /** Reports names in use: objects of two constructs with the same name would overwrite each other in the cluster. */
  private reserveNames(objects: readonly KubernetesObject[], report: (problem: Problem) => void): void {
    const context = AppContext.of(this);
    for (const { kind, metadata } of objects) {
      if (!context.reserveName(`${kind} ${metadata.namespace ?? ''}/${metadata.name}`)) {
        report(duplicateObject(this.input.metadata.name, `${kind} ${metadata.name}`));
      }
    }
  }

  /** Records problems with the source location of the caller. */
  protected report(problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    const source = callSite();
    if (this.reportedProblems.length === 0) {
      this.node.addValidation({ validate: () => this.reportedProblems.filter(isError).map(explainProblem) });
    }
    this.reportedProblems.push(
      ...problems.map((problem) => ({ object: objectOf(this.input), ...withSource(problem, source) })),
    );
  }
}

const objectId = ({ kind, metadata }: KubernetesObject): string => `${kind}-${metadata.name}`;

const problemKey = ({ code, path, reason }: Problem): string => JSON.stringify([code, path, reason]);

/** Returns the object of a problem: `Kind namespace/name`. */
export const objectOf = ({ kind, metadata }: ManifestInput): string =>
  `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;

/** Kinds of main objects, such as the Deployment of a service. */
const mainKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Namespace']);

const duplicateObject = (value: string, object: string): Problem => ({
  code: 'duplicate',
  path: ['metadata', 'name'],
  value,
  reason: `creates ${object}, which another construct of the app also creates`,
  remedy: 'rename one of them',
});

const duplicateName = (name: string): Problem => ({
  code: 'duplicate',
  path: ['metadata', 'name'],
  value: name,
  reason: 'is the name of another construct of this kind in the app',
  remedy: 'set name, or use a different id',
});
