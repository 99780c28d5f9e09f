import { Gauge, type Registry } from 'prom-client';
import { rolloutPhases, textAt } from '../api';
import {
  currentRollout,
  emergencyEnd,
  isOpenRollout,
  rolloutPhaseOf,
  rolloutProgressTime,
  rolloutsOf,
  type StoredRollout,
} from '../expand';
import { type InformerStores } from './observed/informer-stores';

/**
 * Registers the metrics of the rollout in progress, or of the last one while its revision is not rolled out; those of the Platform have
 * precedence over those of Projects. There are none otherwise.
 */
export function registerRolloutMetrics(registry: Registry, stores: Pick<InformerStores, 'resources'>): void {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (set: (labels: Partial<Record<Label, string>>, value: number) => void, rollout: StoredRollout) => void,
  ): Gauge<Label> =>
    new Gauge<Label>({
      ...{ name: `pinion_rollout_${name}`, help, labelNames: [...labelNames], registers: [registry] },
      collect() {
        this.reset();
        const rollout = unsettledRollout(stores);
        // A gauge without labels has the value 0 after its reset.
        if (!rollout && labelNames.length === 0) this.remove();
        if (rollout) collect((labels, value) => this.set(labels as Record<Label, string>, value), rollout);
      },
    });
  gauge(
    'phase',
    'Whether the rollout of the Platform is in a phase, by phase, its reason, and whether it is a rollback.',
    ['phase', 'reason', 'rollback'],
    (set, rollout) => {
      const current = rolloutPhaseOf(rollout);
      const rollback = String(rollout.spec.rollbackOf !== undefined);
      for (const phase of rolloutPhases) {
        const isCurrent = phase === current;
        set({ phase, reason: isCurrent ? (rollout.status?.reason ?? '') : '', rollback }, Number(isCurrent));
      }
    },
  );
  gauge('workloads', 'Workloads that the rollout changes.', [], (set, { status }) => set({}, status?.workloads ?? 0));
  gauge(
    'state_workloads',
    'Workloads of the rollout by state: completed, transit, failed or blocked.',
    ['state'],
    (set, { status = {} }) => {
      set({ state: 'completed' }, status.completed ?? 0);
      for (const state of ['transit', 'failed', 'blocked'] as const) set({ state }, status[state]?.length ?? 0);
    },
  );
  gauge(
    'progress_timestamp_seconds',
    'Time of the last release, change of a wave or end of a soak time of the rollout.',
    [],
    (set, rollout) => set({}, rolloutProgressTime(rollout) / 1000),
  );
  gauge(
    'emergency_expiry_timestamp_seconds',
    'Time at which the emergency of the rollout ends; 0 without one.',
    [],
    (set, rollout) => set({}, isOpenRollout(rollout) ? (emergencyEnd(rollout) ?? 0) / 1000 : 0),
  );
}

/** An ended rollout counts as long as workloads and the Platform differ. */
function unsettledRollout(stores: Pick<InformerStores, 'resources'>): StoredRollout | undefined {
  const rollouts = stores.resources('PlatformRollout') as unknown as readonly StoredRollout[];
  const ofPlatform = currentRollout(rolloutsOf(rollouts, undefined));
  const [platform] = stores.resources('Platform');
  if (ofPlatform && isUnsettled(ofPlatform, platform)) return ofPlatform;
  const ofProjects = stores.resources('Project').flatMap((project) => {
    const rollout = currentRollout(rolloutsOf(rollouts, project.metadata.name));
    return rollout && isUnsettled(rollout, project) ? rollout : [];
  });
  // One that has stopped needs a decision.
  return ofProjects.find((rollout) => !isOpenRollout(rollout)) ?? ofProjects[0];
}

function isUnsettled(rollout: StoredRollout, owner: object | undefined): boolean {
  const current = textAt(owner, 'status', 'revisions', 'current');
  return isOpenRollout(rollout) || (current === rollout.spec.revision && rolloutPhaseOf(rollout) !== 'Completed');
}
