import { type ManifestInput, type PlatformKind, type Status, type WorkloadKind } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { podBehavior } from '../control-plane/pod-behavior';
import { fleetProfile } from './impact-fleet';
import { KubectlView } from './kubectl-view';
import { type LiveCustomResource, type PinionCluster, smallTemplate, workloadOf } from './pinion-suite';
import { waitUntilIdle } from './state-snapshot';

type PlatformSpec = ManifestInput<'Platform'>['spec'];
/** Policy of the rollouts of a test. */
export type Rollouts = NonNullable<PlatformSpec['rollouts']>;
/** Status of a rollout. */
export type RolloutStatus = Status<'PlatformRollout'>;
type Revisions = NonNullable<Status<'Platform'>['revisions']>;

/** Kind, namespace and name of a workload. */
export type MovedWorkload = readonly [kind: WorkloadKind, namespace: string, name: string];

/** Policy with a first wave, a short soak and small budgets. */
export const smallWaves: Rollouts = {
  waves: [{ name: 'first', projects: ['early'], soak: '2s' }],
  soak: '1s',
  budget: { workloads: 3, workloadsPerProject: 2 },
};

/** Policy that moves each wave at once. */
export const wholeWaves: Rollouts = {
  waves: [{ name: 'first', projects: ['early'], soak: '1s' }],
  soak: '1s',
  budget: { workloads: 20, workloadsPerProject: 20 },
};

/** Returns a Platform with a profile, by default with small waves. */
export const rolloutPlatform = (
  profile: string,
  { runtime, ...more }: Partial<PlatformSpec> = { rollouts: smallWaves },
): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, breakGlass: ['on-call'], ...more, runtime: { ...runtime, profile } },
});

/** Returns a profile whose sidecar has a tag, in all kinds of the fleet; the sidecar of a crashing one crashes in a loop. */
export function rolloutProfile(name: string, tag: string, { crashes = false } = {}): ManifestInput<'RuntimeProfile'> {
  const profile = fleetProfile(name, tag);
  const [logs, ...others] = profile.spec.parts;
  if (!logs) throw new Error('the profile has no parts');
  const kinds = ['PinterestService', 'PinterestStatefulSet', 'PinterestDaemon', 'PinterestJobSet'] as const;
  const annotations = { [podBehavior.crashLoop]: 'pinion-logs' };
  const part = { ...logs, kinds: [...kinds], ...(crashes && { pod: { ...logs.pod, annotations } }) };
  return { ...profile, spec: { ...profile.spec, parts: [part, ...others] } };
}

/** Services of the first wave. */
export const earlyServices = ['cart', 'login'] as const;
/** Services of the second wave. */
export const lateServices = ['ads', 'feed', 'home', 'mail', 'pins'] as const;

/** Workloads in two projects, with daemons, a stateful set and a job, which the Platform moves in waves. */
export class RolloutFleet {
  /** Access to the project of the second wave. */
  readonly kubectl: KubectlView;
  /** Services that the tests create besides those of the fleet. */
  readonly more: string[] = [];

  constructor(readonly pinion: () => PinionCluster) {
    this.kubectl = this.view('late');
  }

  /** Creates the workloads and waits until they are ready. */
  async start(): Promise<void> {
    const { pinion } = this;
    await pinion().project('early');
    await pinion().project('late');
    await pinion().project('machines', { infrastructure: true });
    for (const name of this.services) await this.deploy(name, '1');
    const longRunning = smallTemplate({ [podBehavior.exitAfter]: 'never' });
    await pinion().apply(workloadOf('PinterestJobSet', 'late', 'batch', { template: longRunning }));
    await pinion().apply(
      workloadOf('PinterestStatefulSet', 'late', 'ledger', { replicas: 1, template: smallTemplate() }),
    );
    await pinion().apply(workloadOf('PinterestDaemon', 'machines', 'agent', { template: smallTemplate() }));
    await this.ready();
    await pinion().ready('PinterestJobSet', 'late', 'batch', 90_000);
    await waitUntilIdle(pinion(), pinion().controller);
  }

  /** Names of all services. */
  get services(): readonly string[] {
    return [...earlyServices, ...lateServices, ...this.more];
  }

  /** Workloads that a rollout of a profile moves. */
  get moved(): readonly MovedWorkload[] {
    return [
      ...this.services.map((name) => ['PinterestService', this.projectOf(name), name] as const),
      ['PinterestStatefulSet', 'late', 'ledger'],
      ['PinterestDaemon', 'machines', 'agent'],
      ['PinterestDaemon', 'pinion-system', 'node-agent'],
    ];
  }

  /** The same, as sorted keys of namespace and name. */
  get movedKeys(): readonly string[] {
    return this.moved.map(([, namespace, name]) => `${namespace}/${name}`).toSorted();
  }

  /** Waits until all workloads that a rollout moves are ready. */
  async ready(): Promise<void> {
    for (const workload of this.moved) await this.pinion().ready(...workload, 120_000);
  }

  /** Returns the project of a service. */
  projectOf(name: string): string {
    return (earlyServices as readonly string[]).includes(name) ? 'early' : 'late';
  }

  /** Returns access to a namespace. */
  view(namespace: string): KubectlView {
    return new KubectlView(this.pinion, () => namespace);
  }

  /** Deploys a build of a service. */
  deploy(name: string, build: string): Promise<LiveCustomResource> {
    return this.pinion().apply(
      workloadOf('PinterestService', this.projectOf(name), name, {
        replicas: 2,
        template: smallTemplate(),
        annotations: { 'example.com/build': build },
      }),
    );
  }

  /** Returns the profile of each service. */
  async profiles(): Promise<Readonly<Record<string, unknown>>> {
    const profileOf = async (name: string) =>
      (await this.pinion().read('PinterestService', this.projectOf(name), name))?.status?.['runtimeProfile'];
    return Object.fromEntries(
      await Promise.all(this.services.map(async (name) => [name, await profileOf(name)] as const)),
    );
  }

  /** Returns the profiles if each service has one. */
  allOn(profile: string): Readonly<Record<string, string>> {
    return Object.fromEntries(this.services.map((name) => [name, profile]));
  }

  /** Returns the revisions in the status of the Platform; undefined if it has none yet. */
  async revisions(): Promise<Revisions | undefined> {
    return (await this.pinion().read('Platform', '', 'cluster'))?.status?.['revisions'] as Revisions | undefined;
  }

  /** Applies a platform document. */
  apply(document: ManifestInput<PlatformKind>): Promise<LiveCustomResource> {
    return this.pinion().apply(document);
  }

  /** Applies a Platform; resolves with the name of the rollout that follows. */
  async change(document: ManifestInput<'Platform'>): Promise<string> {
    const before = await this.revisions();
    await this.apply(document);
    const live = await this.pinion().until('Platform', '', 'cluster', ({ status }) => {
      const next = status?.['revisions'] as Revisions | undefined;
      return next?.rollout !== undefined && next.rollout !== before?.rollout;
    });
    return (live.status?.['revisions'] as { readonly rollout: string }).rollout;
  }

  /** Moves all workloads to a Platform, and waits until nothing more happens; returns the name and last status of the rollout. */
  async complete(document: ManifestInput<'Platform'>): Promise<readonly [name: string, status: RolloutStatus]> {
    const name = await this.change(document);
    const status = await this.inPhase(name, 'Completed', 240_000);
    await this.pinion().until('Platform', '', 'cluster', ({ status: now }) => {
      const { current, completed } = now?.['revisions'] as Revisions;
      return current === completed;
    });
    await this.ready();
    return [name, status];
  }

  /** Waits until the status of a rollout is accepted, and returns it. */
  async rollout(name: string, accepts: (status: RolloutStatus) => boolean, timeout = 120_000): Promise<RolloutStatus> {
    const holds = ({ status = {} }: LiveCustomResource) => accepts(status as RolloutStatus);
    const live = await this.pinion().until('PlatformRollout', '', name, holds, timeout);
    return live.status as RolloutStatus;
  }

  /** Waits until a rollout is in a phase, and returns its status. */
  inPhase(name: string, phase: string, timeout?: number): Promise<RolloutStatus> {
    return this.rollout(name, (status) => status.phase === phase, timeout);
  }

  /** Waits until a wave of a rollout is in one of some phases. */
  wave(name: string, wave: string, ...phases: readonly string[]): Promise<RolloutStatus> {
    return this.rollout(name, ({ waves = [] }) =>
      waves.some((one) => one.name === wave && phases.includes(one.phase ?? '')),
    );
  }

  /** Changes the spec of a rollout. */
  patch(name: string, spec: object): Promise<string> {
    return this.kubectl.run('patch', 'platformrollout', name, '--type=merge', '-p', JSON.stringify({ spec }));
  }

  /** Returns the tags of the sidecar in the pods of a workload, each once. */
  async tags(namespace: string, workload: string): Promise<readonly string[]> {
    const pods = await this.view(namespace).pods(workload);
    const found = pods.map((pod) => /registry\.example\.com\/logs:(\w+)/.exec(JSON.stringify(pod.spec))?.[1] ?? 'none');
    return [...new Set(found)].sort();
  }
}
