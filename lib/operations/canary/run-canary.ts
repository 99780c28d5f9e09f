import {
  parseManifest,
  explainProblem,
  type PlatformManifest,
  type PlatformKind,
  ProblemsError,
  textAt,
  type WorkloadKind,
} from '../../api';
import { mapConcurrently } from '../../artifact';
import { resolvePlatform, type ProjectContext } from '../../expand';
import { listAllPages, type LiveObject, resourceOf } from '../../kube';
import { canaryDeploymentPaths } from '../../programs';
import { type CanaryDeployer } from './canary-deployer';
import { type CanaryCase, type CanaryRun } from './canary-report';
import { type CanaryDeploymentPath, canaryKinds } from './canary-steps';
import { canaryWorkload } from './canary-workload';
import { type CanaryDeps } from './canary-deps';
import { controllerDeployer } from './controller-deployer';
import { isNodeReady } from './gather-facts';
import { type CaseRun, runCase } from './run-case';
import { controllerNeedOf, synthDeployer } from './synth-deployer';
import { sweep } from './sweep';

/** Default time budget for starting tests, in seconds: less than the run interval of ten minutes. */
export const defaultBudget = 480;

/** Options and callbacks of a run. */
export interface CanaryRunOptions {
  /** @default - all */
  readonly kinds?: readonly WorkloadKind[];
  /** @default - all */
  readonly deploymentPaths?: readonly CanaryDeploymentPath[];
  /** Deployment path through the submission service. @default - the path is skipped */
  readonly submission?: CanaryDeployer;
  /** Number of concurrent tests. @default 6 */
  readonly concurrency?: number;
  /** Seconds after which tests that have not started count as failed. @default 480 */
  readonly budget?: number;
  readonly onStep?: CaseRun['onStep'];
  /** Called after each test. */
  readonly onCase?: (done: CanaryCase) => void;
}

/** Thrown if a run cannot start: the canary is not installed, or the platform's manifests are inconsistent. */
export class CanaryNotInstalled extends Error {
  override readonly name = 'CanaryNotInstalled' as const;
}

/**
 * Runs the canary once: deletes leftovers of killed runs, tests each kind on each deployment path, and deletes its objects.
 *
 * The caller holds the canary's lease and deletes the objects of an aborted run. Failures are results; throws an
 * `ApiError` if the API server cannot be read, and `CanaryNotInstalled`.
 */
export async function runCanary(deps: CanaryDeps, options: CanaryRunOptions = {}): Promise<CanaryRun> {
  const { clock, signal } = deps;
  const startedAt = clock.now();
  const began = new Date(startedAt).toISOString();
  const { budget = defaultBudget } = options;
  const id = Math.floor(clock.random() * 2 ** 24)
    .toString(16)
    .padStart(6, '0');
  const { context, revision } = await loadContext(deps);
  const swept = await sweep(deps);
  const deployers = deployersOf(deps, context, options);
  const nodes = await listAllPages(deps.client, 'Node');
  const node = (nodes.find(acceptsPods) ?? nodes[0])?.metadata.name ?? 'none';
  const tests = (options.deploymentPaths ?? canaryDeploymentPaths).flatMap((deploymentPath) =>
    (options.kinds ?? canaryKinds).map((kind): CaseRun => ({
      deps,
      context,
      deployer: deployerFor(deployers[deploymentPath], kind, deps, context),
      kind,
      run: id,
      node,
      ...(options.onStep && { onStep: options.onStep }),
    })),
  );
  const runTest = async (test: CaseRun): Promise<CanaryCase> => {
    const isLate = test.deployer.missing === undefined && clock.now() - startedAt > budget * 1000;
    const done = isLate ? notStarted(test, budget) : await runCase(test);
    if (!signal.aborted) options.onCase?.(done);
    return done;
  };
  const cases = await mapConcurrently(tests, runTest, options.concurrency ?? 6);
  if (!signal.aborted) await sweep(deps).catch(() => undefined);
  const profile = context.profile.metadata.name;
  const ended = new Date(clock.now()).toISOString();
  return { id, began, ended, profile, ...(revision !== undefined && { revision }), swept, cases };
}

/** Returns the failed result of a test that the run had no time to start. */
function notStarted({ kind, deployer }: CaseRun, budget: number): CanaryCase {
  const reason = `the run's time budget of ${budget} s expired before the test could start`;
  const next = 'check which steps of this run were slow';
  const cause = { part: 'unknown', owner: 'platform', message: reason, next } as const;
  return {
    kind,
    deploymentPath: deployer.name,
    state: 'failed',
    steps: [{ step: 'create', state: 'failed', seconds: 0, reason, cause }],
  };
}

/** Returns whether any pod can run on a node. */
const acceptsPods = (node: LiveObject): boolean =>
  isNodeReady(node) && ((node['spec'] as { readonly taints?: readonly unknown[] }).taints ?? []).length === 0;

function deployersOf(
  deps: CanaryDeps,
  context: ProjectContext,
  { submission }: CanaryRunOptions,
): Readonly<Record<CanaryDeploymentPath, CanaryDeployer>> {
  const controller = controllerDeployer(deps);
  const unavailable = { ...controller, name: 'submission', missing: 'no submission service is configured' } as const;
  return { synth: synthDeployer(deps, context), controller, submission: submission ?? unavailable };
}

/** Returns the deployer, marked as unavailable on the synth path for a kind that needs the controller. */
function deployerFor(
  deployer: CanaryDeployer,
  kind: WorkloadKind,
  { project, image }: CanaryDeps,
  context: ProjectContext,
): CanaryDeployer {
  if (deployer.name !== 'synth') return deployer;
  const workload = { kind, namespace: project, name: 'canary', run: 'none', version: '1', image, node: 'none' };
  const missing = controllerNeedOf(canaryWorkload(workload), context);
  return missing === undefined ? deployer : { ...deployer, missing };
}

/** What the canary tests. */
interface TestedPlatform {
  readonly context: ProjectContext;
  /** PlatformRevision of the context. @default - the Platform has none */
  readonly revision: string | undefined;
}

/** Loads the canary's project context from the cluster. */
async function loadContext({ client, project }: CanaryDeps): Promise<TestedPlatform> {
  const live = await client.get(resourceOf('Project'), { name: project });
  if (!live)
    throw new CanaryNotInstalled(`Project ${project} not found; apply the output of "pinion canary manifests"`);
  const kinds: readonly PlatformKind[] = ['Platform', 'RuntimeProfile'];
  const others = (await Promise.all(kinds.map((kind) => listAllPages(client, kind)))).flat();
  try {
    const context = resolvePlatform([...others, live].map(manifestOf)).project(project);
    const platform = others.find(({ kind }) => kind === 'Platform');
    return { context, revision: textAt(platform, 'status', 'revisions', 'current') };
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    throw new CanaryNotInstalled(error.problems.map(explainProblem).join('\n'), { cause: error });
  }
}

function manifestOf({ apiVersion, kind, metadata, spec }: LiveObject): PlatformManifest {
  const { name, labels, annotations } = metadata;
  return parseManifest({
    apiVersion,
    kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  } as never);
}
