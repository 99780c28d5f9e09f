import { App, type AppProps, type Chart } from 'cdk8s';
import { isError, isWorkloadKind, ProblemsError, type Problem } from '../api';
import { writeDocuments } from '../yaml';
import { orderOf, treeOf, type AppTree } from './app-order';
import { setEmit, type Emit } from './emit';
import { allDocuments, writeManifests } from './manifests';
import { AtomicFolder } from './output-folder';
import { ResourceConstruct } from './resource-construct';
import { synthNote } from './synth-note';
import { AppContext, type PlatformSource } from './app-context';

/** Options of a `PlatformApp`, beside those of a cdk8s App. */
export interface PlatformAppProps extends AppProps {
  /** Path of a file of Platform, RuntimeProfile and Project documents, or the documents. @default - the nearest `pinion.platform.yaml`, else built-in */
  readonly platform?: PlatformSource;
  /** What is synthesized where neither chart nor construct decides. @default - what PINION_EMIT says, as `pinion publish` sets it, else native */
  readonly emit?: Emit;
}

/** What an app came to. */
export interface SynthSummary {
  readonly workloads: number;
  /** Objects of the whole app, stock ones included. */
  readonly objects: number;
  readonly files: number;
  readonly warnings: readonly Problem[];
  /** Where the Platform comes from: a file, `given`, `constructs` or `built-in`; absent where no construct needed one. */
  readonly platform?: string;
}

/**
 * A cdk8s App whose synthesis takes time in proportion to what it holds, and whose files parse equal to the stock App's.
 *
 * `synth` throws one `ProblemsError` with all problems of the app, and leaves no file behind then.
 */
export class PlatformApp extends App {
  private made: SynthSummary | undefined;

  constructor(props: PlatformAppProps = {}) {
    super(props);
    const emit = props.emit ?? process.env['PINION_EMIT'];
    // What is neither is told by the constructs that it would decide for.
    if (emit !== undefined) setEmit(this, emit as Emit);
    if (props.platform !== undefined) AppContext.of(this).give(props.platform);
  }

  /** What the last `synth` came to; undefined before it. */
  get summary(): SynthSummary | undefined {
    return this.made;
  }

  /** All charts in the order in which they are applied. */
  override get charts(): Chart[] {
    return [...orderOf(treeOf(this)).charts];
  }

  override synth(): void {
    const tree = treeOf(this);
    const warnings = this.check(tree);
    const order = orderOf(tree);
    const folder = new AtomicFolder(this.outdir);
    try {
      writeManifests(order, this.yamlOutputType, this.outputFileExtension, folder);
      const files = folder.size;
      const objects = order.charts.flatMap((chart) => order.objectsOf(chart));
      if (this['recordConstructMetadata']) {
        const resources = Object.fromEntries(objects.map(({ name, node }) => [name, { path: node.path }]));
        folder.write('construct-metadata.json', [JSON.stringify({ version: '1.0.0', resources })]);
      }
      folder.finish();
      const workloads = placedIn(tree).filter(({ input }) => isWorkloadKind(input.kind)).length;
      const { origin } = AppContext.of(this);
      this.made = {
        workloads,
        objects: objects.length,
        files,
        warnings,
        ...(origin !== undefined && { platform: origin }),
      };
      // The cdk8s command names the output folder; a program that makes an app of its own reads the summary instead.
      if (process.env['CDK8S_OUTDIR'] !== undefined) process.stderr.write(synthNote(this.made));
    } finally {
      folder.discard();
    }
  }

  override synthYaml(): string {
    const tree = treeOf(this);
    this.check(tree);
    return [...writeDocuments(allDocuments(orderOf(tree)))].join('');
  }

  /** Throws all that is wrong in the app; returns the warnings. */
  private check(tree: AppTree): readonly Problem[] {
    const problems = [...AppContext.of(this).problems, ...placedIn(tree).flatMap((placed) => placed.problems)];
    const errors = problems.filter(isError);
    const messages = tree.constructs.flatMap(({ node }) =>
      node.validate().map((message) => `[${node.path}] ${message}`),
    );
    if (messages.length === 0) return problems;
    const cause = new ProblemsError(errors);
    if (messages.length === errors.length) throw cause;
    // Validations of others say only texts, so that all come together in the form of cdk8s.
    throw new Error(`Validation failed with the following errors:\n  ${messages.join('\n  ')}`, { cause });
  }
}

const placedIn = (tree: AppTree): ResourceConstruct[] =>
  tree.constructs.filter((construct) => ResourceConstruct.is(construct));
