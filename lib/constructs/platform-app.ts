import { App, type AppProps, type Chart } from 'cdk8s';
import { isError, isWorkloadKind, ProblemsError, type Problem } from '../api';
import { writeDocuments } from '../yaml';
import { orderOf, treeOf, type AppTree } from './app-order';
import { setEmit, type Emit } from './emit';
import { allDocuments, writeManifests } from './manifests';
import { AtomicFolder } from './atomic-folder';
import { ResourceConstruct } from './resource-construct';
import { SharedConfig } from './shared-config';
import { synthNote } from './synth-note';
import { AppContext, type PlatformSource } from './app-context';

/** Options of a `PlatformApp` in addition to those of a cdk8s App. */
export interface PlatformAppProps extends AppProps {
  /**
   * Path of a file with Platform, RuntimeProfile and Project manifests, or the manifests themselves.
   * @default - the nearest `pinion.platform.yaml`, otherwise built-in
   */
  readonly platform?: PlatformSource;
  /**
   * Output of charts and constructs that do not set it.
   * @default - PINION_EMIT, which `pinion publish` sets, otherwise native
   */
  readonly emit?: Emit;
}

/** Result of synthesizing an app. */
export interface SynthSummary {
  readonly workloads: number;
  /** Objects of the whole app, including stock ones. */
  readonly objects: number;
  readonly files: number;
  readonly warnings: readonly Problem[];
  /** Origin of the Platform: a file, `inline`, `constructs` or `built-in`; absent if no construct needed one. */
  readonly platform?: string;
}

/**
 * A cdk8s App that synthesizes in linear time. Its files contain the same objects as those of the stock App.
 *
 * If the app has problems, `synth` throws one `ProblemsError` with all of them and writes no files.
 */
export class PlatformApp extends App {
  private lastSummary: SynthSummary | undefined;

  constructor(props: PlatformAppProps = {}) {
    super(props);
    const emit = props.emit ?? process.env['PINION_EMIT'];
    // An invalid value is reported by the constructs that it applies to.
    if (emit !== undefined) setEmit(this, emit as Emit);
    if (props.platform !== undefined) AppContext.of(this).setPlatform(props.platform);
  }

  /** Result of the last `synth`; undefined before it. */
  get summary(): SynthSummary | undefined {
    return this.lastSummary;
  }

  /** Returns all charts in apply order. */
  override get charts(): Chart[] {
    return [...orderOf(treeOf(this)).charts];
  }

  override synth(): void {
    const tree = treeOf(this);
    const warnings = this.validateTree(tree);
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
      const workloads = resourceConstructsOf(tree).filter(
        ({ input, isReference }) => isWorkloadKind(input.kind) && !isReference,
      ).length;
      const { origin } = AppContext.of(this);
      this.lastSummary = {
        workloads,
        objects: objects.length,
        files,
        warnings,
        ...(origin !== undefined && { platform: origin }),
      };
      // The cdk8s command sets the output folder; programs that create their own app read the summary instead.
      if (process.env['CDK8S_OUTDIR'] !== undefined) process.stderr.write(synthNote(this.lastSummary));
    } finally {
      folder.discard();
    }
  }

  override synthYaml(): string {
    const tree = treeOf(this);
    this.validateTree(tree);
    return [...writeDocuments(allDocuments(orderOf(tree)))].join('');
  }

  /** Throws if the app has errors; returns the warnings. */
  private validateTree(tree: AppTree): readonly Problem[] {
    const problems = [
      ...AppContext.of(this).problems,
      ...AppContext.of(this).problemsOfAllWorkloads(),
      ...tree.constructs.flatMap((construct) =>
        ResourceConstruct.is(construct) || construct instanceof SharedConfig ? construct.problems : [],
      ),
    ];
    const errors = problems.filter(isError);
    const messages = tree.constructs.flatMap(({ node }) =>
      node.validate().map((message) => `[${node.path}] ${message}`),
    );
    if (messages.length === 0) return problems;
    const cause = new ProblemsError(errors);
    if (messages.length === errors.length) throw cause;
    // Other validations return only strings, so all are combined in the format of cdk8s.
    throw new Error(`Validation failed with the following errors:\n  ${messages.join('\n  ')}`, { cause });
  }
}

const resourceConstructsOf = (tree: AppTree): ResourceConstruct[] =>
  tree.constructs.filter((construct) => ResourceConstruct.is(construct));
