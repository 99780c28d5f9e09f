import { conditionOf, entriesAt, trueCondition, textAt, workloadKinds } from '../../api';
import { controllerName, currentRollout, rolloutPhaseOf, type StoredRollout } from '../../expand';
import { type Clock, isApiError, type KubeClient, listAllPages, type LiveObject, resourceOf } from '../../kube';
import { errorText } from '../../process';
import { canaryProject } from '../../programs';
import { checkCanaryGate, type CanaryGateResult } from '../canary/check-canary-gate';
import { readRollState, rollFinding, type RollState } from '../roll/roll-record';
import { countWorkloads, type WorkloadCounts } from './workload-counts';
import { workloadRows } from './workload-rows';

/** State of one cluster for a view of many. */
export interface ClusterSummary {
  /** Name, environment, region and runtime profile of the Platform; undefined without one. */
  readonly platform?: {
    readonly cluster: string;
    readonly environment: string;
    readonly region?: string;
    readonly profile: string;
    /** Time since which the profile is in force, in RFC 3339. */
    readonly profileSince?: string;
  };
  /** Version of the API server, such as `v1.36.3`. */
  readonly serverVersion: string;
  /** Tags or digests of the controllers' images; several while an update rolls out. */
  readonly controllerVersions: readonly string[];
  readonly workloads: WorkloadCounts;
  readonly canary?: CanaryGateResult;
  /** Rollout of the Platform in progress, or the last one; undefined if there has been none. */
  readonly rollout?: {
    readonly name: string;
    readonly phase: string;
    readonly reason?: string;
    readonly message?: string;
    readonly wave?: string;
    readonly workloads: number;
    readonly completed: number;
  };
  /** Last roll of the machines by `pinion cluster roll`; undefined if there has been none. */
  readonly roll?: RollState;
  /** What needs attention, one sentence each. */
  readonly findings: readonly string[];
  /** What could not be read, and why: it is neither well nor broken. */
  readonly unknown: readonly string[];
}

/** Reads the state of a cluster with few requests. Rejects with an `ApiError` if the API server does not respond, or refuses the credentials. */
export async function readClusterSummary(client: KubeClient, clock: Clock): Promise<ClusterSummary> {
  const unknown: string[] = [];
  /** Reads a part that may be denied or not installed; the others are still read. */
  const part = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (isApiError(error) && error.status !== 403 && error.status !== 404) throw error;
      if (!isApiError(error, 404)) unknown.push(`${what}: ${errorText(error)}`);
      return undefined;
    }
  };
  // First, so that a cluster that does not respond is reported once.
  const serverVersion = textAt(await client.request('GET', '/version'), 'gitVersion') ?? 'unknown';
  const platforms = await part('Platform', () => listAllPages(client, 'Platform'));
  const hasReadPlatform = unknown.length === 0;
  const rows = await Promise.all(
    Object.entries(workloadKinds).map(([kind, { plural }]) =>
      part(kind, () => workloadRows(client, plural, { isNamed: false })),
    ),
  );
  const deployments = await part('controllers', () => client.list(resourceOf('Deployment'), controllers));
  const canary = await part('canary', () => checkCanaryGate({ client, clock }, canaryProject));
  const roll = await part('roll of the nodes', () => readRollState(client, clock));
  const rollouts = hasRollouts(platforms?.[0])
    ? await part('PlatformRollout', () => listAllPages(client, 'PlatformRollout'))
    : undefined;
  const rollout = rolloutFacts((rollouts ?? []) as unknown as readonly StoredRollout[]);
  const workloads = countWorkloads(rows.flatMap((ofKind) => ofKind ?? []));
  const platform = platforms?.[0];
  return {
    ...(platform && { platform: platformFacts(platform) }),
    serverVersion,
    controllerVersions: [...new Set((deployments?.items ?? []).flatMap(imageVersions))].sort(),
    workloads,
    ...(canary && { canary }),
    ...(rollout && { rollout }),
    ...(roll && { roll }),
    findings: [
      ...(hasReadPlatform ? platformFindings(platform) : []),
      ...(workloads.notReady > 0 ? [`${workloads.notReady} of ${workloads.total} workloads are not Ready.`] : []),
      ...(workloads.held > 0
        ? [`${workloads.held} workloads are held: only a new version of the controller would change them.`]
        : []),
      ...rolloutFindings(platform, rollout),
      ...rollFindings(roll),
      ...(canary ? canaryFindings(canary) : []),
    ],
    unknown,
  };
}

const controllers = { namespace: controllerName, labelSelector: `app.kubernetes.io/name=${controllerName}` };

function platformFacts({ spec, status }: LiveObject): NonNullable<ClusterSummary['platform']> {
  const region = textAt(spec, 'region');
  const profileSince = textAt(status, 'runtime', 'since');
  return {
    cluster: textAt(spec, 'cluster') ?? '',
    environment: textAt(spec, 'environment') ?? '',
    ...(region !== undefined && { region }),
    profile: textAt(spec, 'runtime', 'profile') ?? '',
    ...(profileSince !== undefined && { profileSince }),
  };
}

function platformFindings(platform: LiveObject | undefined): string[] {
  if (!platform) return ['There is no Platform: pinion is not installed.'];
  const { status } = platform;
  const message = conditionOf(status, 'Ready')?.message ?? 'no controller has reported on it.';
  const blocked = textAt(status, 'runtime', 'rolloutBlockedReason');
  return [
    ...(trueCondition(status, 'Ready') ? [] : [`The Platform is not Ready: ${message}`]),
    ...(blocked === undefined ? [] : [`The rollout of the runtime profile is blocked: ${blocked}`]),
  ];
}

/** Without revisions, the cluster may lack the definition, and the reader the permission. */
const hasRollouts = (platform: LiveObject | undefined): boolean =>
  textAt(platform?.['status'], 'revisions', 'current') !== undefined;

function rolloutFacts(rollouts: readonly StoredRollout[]): ClusterSummary['rollout'] {
  const rollout = currentRollout(rollouts);
  if (!rollout) return undefined;
  const { reason, message, wave, workloads = 0, completed = 0 } = rollout.status ?? {};
  return {
    ...{ name: rollout.metadata.name, phase: rolloutPhaseOf(rollout) },
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(wave !== undefined && { wave }),
    ...{ workloads, completed },
  };
}

const stoppedPhases: readonly string[] = ['Paused', 'Failed', 'Aborted', 'RolledBack'];

/** A rollout that was superseded, or whose values were taken out of the Platform again, needs no attention. */
function rolloutFindings(platform: LiveObject | undefined, rollout: ClusterSummary['rollout']): string[] {
  if (!rollout || !stoppedPhases.includes(rollout.phase)) return [];
  const [current, completed] = ['current', 'completed'].map((name) => textAt(platform?.['status'], 'revisions', name));
  if (rollout.phase !== 'Paused' && current === completed) return [];
  const why = [rollout.reason, rollout.message].filter((part) => part !== undefined).join(': ');
  return [`Rollout ${rollout.name} is ${rollout.phase}${why === '' ? '.' : `: ${why}`}`];
}

const canaryFindings = ({ state, reasons }: CanaryGateResult): string[] =>
  state === 'closed' ? reasons.map((reason) => `The canary gate is closed: ${reason}.`) : [];

const rollFindings = (roll: RollState | undefined): string[] => {
  const finding = roll && rollFinding(roll);
  return finding === undefined ? [] : [finding];
};

const imageVersions = (deployment: LiveObject): string[] =>
  entriesAt(deployment, 'spec', 'template', 'spec', 'containers').map((container) => {
    const image = textAt(container, 'image') ?? '';
    return image.slice(image.lastIndexOf('/') + 1).replace(/^[^:@]*[:@]?/, '') || 'latest';
  });
