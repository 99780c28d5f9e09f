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
import { type KubernetesObject } from '../expand';
import { callSite } from './call-site';
import { emitOf, emitProblem, type Emit } from './emit';
import { ManifestApiObject } from './manifest-api-object';
import { plainValue } from './plus-values';
import { AppContext, withSource } from './app-context';

/** Props that every construct of ours takes beside the fields of its kind. */
export interface DocumentProps {
  /** Name of the object in the cluster. @default - the id of the construct */
  readonly name?: string;
  /** Whether the native objects are synthesized or the custom resource itself. @default - as the chart or app decides, else native */
  readonly emit?: Emit;
  /** Labels and annotations of the custom resource itself. @default - none; `labels` and `annotations` are for all that it becomes */
  readonly metadata?: Pick<Metadata, 'labels' | 'annotations'>;
}

/** What the constructs of all kinds share: complete what was given, ask what it means, place that in the tree. */
export abstract class ResourceConstruct<K extends PinionKind = PinionKind> extends Construct {
  readonly #isPlaced = true;
  /** What it became, in apply order; empty where it has errors. */
  readonly objects: readonly ApiObject[] = [];
  /** What it means at the native door, whatever is emitted. */
  protected expanded: readonly KubernetesObject[] | undefined;
  private readonly found: Problem[] = [];
  /** The document as it was written, values of cdk8s said in plain data. */
  readonly input: ManifestInput<K>;
  /** What is synthesized. */
  readonly emit: Emit;

  protected constructor(scope: Construct, id: string, kind: K, props: DocumentProps & { readonly project?: string }) {
    super(scope, id);
    const { name = id, emit, metadata, project, ...spec } = props;
    this.input = {
      apiVersion,
      kind,
      metadata: { name, ...(project !== undefined && { namespace: project }), ...metadata },
      spec: plainValue(spec) as SpecInput<K>,
    };
    this.emit = emitOf(this, emit);
  }

  /** All that is wrong with it, warnings included; errors stop the synthesis of the app. */
  get problems(): readonly Problem[] {
    return this.found;
  }

  /** True for a construct of any of our kinds. */
  static is(construct: unknown): construct is ResourceConstruct {
    return typeof construct === 'object' && construct !== null && #isPlaced in construct;
  }

  /** What the completed document becomes at the native door; undefined where it has errors, which are reported. */
  protected abstract meaning(
    document: Manifest<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined;

  /** Completes, asks for the meaning and places; called once, at the end of the constructor of each kind. */
  protected place(): void {
    const { input, emit } = this;
    const problems: Problem[] = [];
    const report = (problem: Problem) => void problems.push(problem);
    if (emit !== 'native' && emit !== 'resource') report(emitProblem(emit));
    if (!AppContext.of(this).take(objectOf(input))) report(nameTaken(input.metadata.name));
    const { completed, problems: wrong } = safeParseManifest(input);
    problems.push(...wrong);
    this.expanded = completed && this.meaning(completed as Manifest<K>, report);
    if (this.expanded && emit === 'native') this.takeNames(this.expanded, report);
    if (problems.length > 0) this.report(problems);
    if (!this.expanded || problems.some(isError)) return;
    const chosen = emit === 'resource' ? [input as unknown as KubernetesObject] : this.expanded;
    const children = chosen.map((made) => new ManifestApiObject(this, `${made.kind}-${made.metadata.name}`, made));
    Object.assign(this, { objects: children });
    const main = children.find(({ kind }) => mainKinds.has(kind)) ?? children[0];
    if (main) this.node.defaultChild = main;
  }

  /** Kinds share names: what two constructs both make would be one object in the cluster. */
  private takeNames(objects: readonly KubernetesObject[], report: (problem: Problem) => void): void {
    const surroundings = AppContext.of(this);
    for (const { kind, metadata } of objects) {
      if (!surroundings.take(`${kind} ${metadata.namespace ?? ''}/${metadata.name}`)) {
        report(objectTaken(this.input.metadata.name, `${kind} ${metadata.name}`));
      }
    }
  }

  /** Notes what is wrong, with the line of the person's code that runs now. */
  protected report(problems: readonly Problem[]): void {
    const source = callSite();
    if (this.found.length === 0) {
      this.node.addValidation({ validate: () => this.found.filter(isError).map(explainProblem) });
    }
    this.found.push(...problems.map((problem) => ({ object: objectOf(this.input), ...withSource(problem, source) })));
  }
}

const objectOf = ({ kind, metadata }: ManifestInput): string =>
  `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;

/** What a person means by "the object" of a workload. */
const mainKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Namespace']);

const objectTaken = (value: string, object: string): Problem => ({
  code: 'duplicate',
  path: ['metadata', 'name'],
  value,
  reason: `gives ${object}, as does another construct of the app`,
  remedy: 'choose another name for one of them',
});

const nameTaken = (name: string): Problem => ({
  code: 'duplicate',
  path: ['metadata', 'name'],
  value: name,
  reason: 'is the name of another construct of this kind in the app',
  remedy: 'give name, or another id',
});
