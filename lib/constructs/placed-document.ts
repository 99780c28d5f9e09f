import { type ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  apiVersion,
  examine,
  explainProblem,
  isError,
  type Completed,
  type Input,
  type PinionKind,
  type Problem,
  type Source,
  type SpecInput,
} from '../api';
import { type KubernetesObject } from '../expand';
import { callSite } from './call-site';
import { emitOf, emitProblem, type Emit } from './emit';
import { PlacedObject } from './placed-object';
import { plainValue } from './plus-values';
import { Surroundings, withSource } from './surroundings';

/** Props that every construct of ours takes beside the fields of its kind. */
export interface DocumentProps {
  /** Name of the object in the cluster. @default - the id of the construct */
  readonly name?: string;
  /** Whether the native objects are synthesized or the custom resource itself. @default - as the chart or app decides, else native */
  readonly emit?: Emit;
}

const placed = new WeakSet<object>();

/** What the constructs of all kinds share: complete what was given, ask what it means, place that in the tree. */
export abstract class PlacedDocument<K extends PinionKind = PinionKind> extends Construct {
  /** What it became, in apply order; empty where it has errors. */
  readonly objects: readonly ApiObject[] = [];
  /** All that is wrong with it, warnings included; errors stop the synthesis of the app. */
  readonly problems: readonly Problem[] = [];
  /** The document as it was written, values of cdk8s said in plain data. */
  readonly input: Input<K>;
  /** What is synthesized. */
  readonly emit: Emit;

  protected constructor(
    scope: Construct,
    id: string,
    kind: K,
    props: DocumentProps & { readonly namespace?: string },
    spec: unknown,
  ) {
    super(scope, id);
    placed.add(this);
    const { name = id, namespace, emit } = props;
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    this.input = { apiVersion, kind, metadata, spec: plainValue(spec) as SpecInput<K> };
    this.emit = emitOf(this, emit);
  }

  /** True for a construct of any of our kinds. */
  static is(construct: unknown): construct is PlacedDocument {
    return typeof construct === 'object' && construct !== null && placed.has(construct);
  }

  /** What the completed document becomes at the native door; undefined where it has errors, which are reported. */
  protected abstract meaning(
    document: Completed<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined;

  /** Completes, asks for the meaning and places; called once, at the end of the constructor of each kind. */
  protected place(): void {
    const { input, emit } = this;
    const problems: Problem[] = [];
    const report = (problem: Problem) => void problems.push(problem);
    const object = `${input.kind} ${[input.metadata.namespace, input.metadata.name].filter(Boolean).join('/')}`;
    if (emit !== 'native' && emit !== 'resource') report(emitProblem(emit));
    if (!Surroundings.of(this).take(object)) report(nameTaken(input.metadata.name));
    const { completed, problems: found } = examine(input);
    problems.push(...found);
    const objects = completed && this.meaning(completed as unknown as Completed<K>, report);
    if (problems.length > 0) this.keep(problems.map((problem) => ({ ...problem, object: problem.object ?? object })));
    if (!objects || problems.some(isError)) return;
    const chosen = emit === 'resource' ? [input as unknown as KubernetesObject] : objects;
    const children = chosen.map((made) => new PlacedObject(this, childId(made), made));
    Object.assign(this, { objects: children });
    const main = children.find(({ kind }) => mainKinds.has(kind)) ?? children[0];
    if (main) this.node.defaultChild = main;
  }

  private keep(problems: readonly Problem[]): void {
    const source: Source | undefined = callSite();
    const known = problems.map((problem) => withSource(problem, source));
    Object.assign(this, { problems: known });
    const errors = known.filter(isError);
    if (errors.length > 0) this.node.addValidation({ validate: () => errors.map(explainProblem) });
  }
}

/** What a person means by "the object" of a workload. */
const mainKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Namespace']);

const childId = ({ kind, metadata }: KubernetesObject) => `${kind}-${metadata.name}`;

const nameTaken = (name: string): Problem => ({
  code: 'duplicate',
  path: ['metadata', 'name'],
  value: name,
  reason: 'is the name of another construct of this kind in the app',
  remedy: 'give name, or another id',
});
