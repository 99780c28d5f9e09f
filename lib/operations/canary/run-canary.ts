import {
  parseManifest,
  explainProblem,
  type PlatformManifest,
  type PlatformKind,
  ProblemsError,
  type WorkloadKind,
} from '../../api';
import { mapConcurrently } from '../../artifact';
import { resolvePlatform, type ProjectContext } from '../../expand';
import { listAllPages, type LiveObject, resourceOf } from '../../kube';
import { canaryDeploymentPaths } from '../../programs';
import { type CanaryDeployer } from './canary-deployer';
import { type CanaryCase, type CanaryRun } from './canary-report';
import { type CanaryDoorName, canaryKinds } from './canary-steps';
import { canaryWorkload } from './canary-workload';
import { type CanaryDeps } from './canary-deps';
import { controllerDoor } from './controller-door';
import { isNodeReady } from './gather-facts';
import { type CaseRun, runCase } from './run-case';
import { needsOf, synthDoor } from './synth-door';
import { sweep } from './sweep';

/** Seconds in which a run begins what it does, where nothing else is said: below the ten minutes between two. */
export const defaultBudget = 480;

/** What a run does, and who hears of it. */
export interface CanaryAsked {
  /** @default - all */
  readonly kinds?: readonly WorkloadKind[];
  /** @default - all */
  readonly doors?: readonly CanaryDoorName[];
  /** The door through the submission service; undefined where it is not set up. */
  readonly submission?: CanaryDeployer;
  /** Kinds and doors that go on side by side. @default 6 */
  readonly sideBySide?: number;
  /** Seconds after which no kind and door is begun: it counts as failed. @default 480 */
  readonly budget?: number;
  readonly onStep?: CaseRun['onStep'];
  /** Told of each kind and door that is through. */
  readonly onCase?: (done: CanaryCase) => void;
}

/** Thrown where a run cannot begin: the canary is not installed, or documents of the platform do not fit together. */
export class CanaryNotInstalled extends Error {
  override readonly name = 'CanaryNotInstalled' as const;
}

/**
 * One run: first what killed runs left is removed, then each kind goes through each door, and at the end nothing is left.
 *
 * Whoever calls holds the canary's lease, and removes what a run made that is stopped. Failures are results; it throws an
 * `ApiError` where the API server cannot be read at all, and `CanaryNotInstalled`.
 */
export async function runCanary(world: CanaryDeps, asked: CanaryAsked = {}): Promise<CanaryRun> {
  const { clock, signal } = world;
  const begun = clock.now();
  const began = new Date(begun).toISOString();
  const { budget = defaultBudget } = asked;
  const id = Math.floor(clock.random() * 2 ** 24)
    .toString(16)
    .padStart(6, '0');
  const known = await knownWorld(world);
  const swept = await sweep(world);
  const doors = doorsOf(world, known, asked);
  const nodes = await listAllPages(world.client, 'Node');
  const node = (nodes.find(isFree) ?? nodes[0])?.metadata.name ?? 'none';
  const runs = (asked.doors ?? canaryDeploymentPaths).flatMap((door) =>
    (asked.kinds ?? canaryKinds).map((kind): CaseRun => ({
      world,
      known,
      door: doorFor(doors[door], kind, world, known),
      kind,
      run: id,
      node,
      ...(asked.onStep && { onStep: asked.onStep }),
    })),
  );
  const take = async (run: CaseRun): Promise<CanaryCase> => {
    const isLate = run.door.missing === undefined && clock.now() - begun > budget * 1000;
    const done = isLate ? notBegun(run, budget) : await runCase(run);
    if (!signal.aborted) asked.onCase?.(done);
    return done;
  };
  const cases = await mapConcurrently(runs, take, asked.sideBySide ?? 6);
  if (!signal.aborted) await sweep(world).catch(() => undefined);
  const profile = known.profile.metadata.name;
  return { id, began, ended: new Date(clock.now()).toISOString(), profile, swept, cases };
}

/** What there was no time for: nobody knows whether it works. */
function notBegun({ kind, door }: CaseRun, budget: number): CanaryCase {
  const reason = `the ${budget} s of the run were over before it could begin`;
  const next = 'see what took so long in the steps of this run';
  const cause = { part: 'unknown', owner: 'platform', message: reason, next } as const;
  return {
    kind,
    door: door.name,
    state: 'failed',
    steps: [{ step: 'create', state: 'failed', seconds: 0, reason, cause }],
  };
}

/** A daemon keeps to a node that takes any pod. */
const isFree = (node: LiveObject): boolean =>
  isNodeReady(node) && ((node['spec'] as { readonly taints?: readonly unknown[] }).taints ?? []).length === 0;

function doorsOf(
  world: CanaryDeps,
  known: ProjectContext,
  { submission }: CanaryAsked,
): Readonly<Record<CanaryDoorName, CanaryDeployer>> {
  const controller = controllerDoor(world);
  const without = { ...controller, name: 'submission', missing: 'no submission service was named' } as const;
  return { synth: synthDoor(world, known), controller, submission: submission ?? without };
}

/** What this kind needs the controller for cannot be synthesized. */
function doorFor(
  door: CanaryDeployer,
  kind: WorkloadKind,
  { project, image }: CanaryDeps,
  known: ProjectContext,
): CanaryDeployer {
  if (door.name !== 'synth') return door;
  const asked = { kind, namespace: project, name: 'canary', run: 'none', version: '1', image, node: 'none' };
  const missing = needsOf(canaryWorkload(asked), known);
  return missing === undefined ? door : { ...door, missing };
}

/** The facts of the cluster, as the controller sees them. */
async function knownWorld({ client, project }: CanaryDeps): Promise<ProjectContext> {
  const live = await client.get(resourceOf('Project'), { name: project });
  if (!live)
    throw new CanaryNotInstalled(`there is no Project ${project}; apply what "pinion canary manifests" prints`);
  const kinds: readonly PlatformKind[] = ['Platform', 'RuntimeProfile'];
  const others = (await Promise.all(kinds.map((kind) => listAllPages(client, kind)))).flat();
  try {
    return resolvePlatform([...others, live].map(documentOf)).project(project);
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    throw new CanaryNotInstalled(error.problems.map(explainProblem).join('\n'), { cause: error });
  }
}

function documentOf({ apiVersion, kind, metadata, spec }: LiveObject): PlatformManifest {
  const { name, labels, annotations } = metadata;
  return parseManifest({
    apiVersion,
    kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  } as never);
}
