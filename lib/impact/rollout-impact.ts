import { builtInWaves, conditionOf, traitsOf, type RolloutPolicy, type Workload } from '../api';
import { assignWaves, secondsOf, type KubernetesObject, type WaveMember } from '../expand';
import { workloadKeyOf, type ImpactDocument } from './impact-side';
import { steadyPodsOf } from './quota-surge';
import { replacementSeconds } from './replacement-time';
import { type ImpactSubject } from './workload-impact';

/** Range of a duration in seconds. */
export interface SecondsRange {
  /** Soak times only. */
  readonly min: number;
  /** Soak times, and the assumed time in which pods are replaced. */
  readonly max: number;
}

/** What a wave of a rollout does. */
export interface WaveImpact {
  readonly name: string;
  /** Time that its workloads must stay healthy, such as `5m`. */
  readonly soak: string;
  /** Number of its workloads. */
  readonly workloads: number;
  /** Number of them whose pods restart. */
  readonly restarts: number;
  /** Number of pods that restart, at most, without those of daemons. */
  readonly pods: number;
  readonly seconds: SecondsRange;
}

/** Rollout that follows a change, or that in progress without one. */
export interface RolloutImpact {
  /** Revision that workloads move to; of a way back, that which they leave. */
  readonly revision: string;
  /** Whether workloads return to their former revisions, without waves, soak and canary. */
  readonly isBack: boolean;
  /** Project whose workloads it moves. @default - it is of the Platform */
  readonly project?: string;
  readonly waves: readonly WaveImpact[];
  readonly seconds: SecondsRange;
}

/** A workload that a rollout moves. */
interface RolledWorkload extends WaveMember {
  readonly key: string;
  /** Whether it has moved before the change. */
  readonly isMoved: boolean;
  readonly restarts: boolean;
  /** Number of its pods. */
  readonly pods: number;
  /** Assumed time in which they are replaced. */
  readonly seconds: number;
}

/** What is known of a workload that a rollout moves. */
interface RolledInput {
  readonly document: ImpactDocument;
  readonly workload: Workload;
  readonly subject: ImpactSubject;
  /** Its objects once it has moved. @default - it has moved before the change */
  readonly objects?: readonly KubernetesObject[];
  /** Objects whose pods restart, such as `Deployment/cart`. @default - none */
  readonly restarting?: readonly string[];
  readonly nodes: number | undefined;
}

/** Collects the workloads of a rollout, and assigns them to its waves. */
export class RolloutSum {
  private readonly members: RolledWorkload[] = [];

  /** Adds a workload that the rollout moves, or that has moved. */
  add({ document, workload, subject, objects, restarting = [], nodes }: RolledInput): void {
    const key = workloadKeyOf(document);
    const { kind, metadata } = workload;
    const all = objects ?? [];
    const replaced = all.filter((object) => restarting.includes(`${object.kind}/${object.metadata.name}`));
    this.members.push({
      ...{ key, kind, project: subject.project, tier: subject.tier, labels: metadata.labels ?? {} },
      // Files have no UIDs: the number of workloads of a wave is right, but which ones a share selects may differ.
      uid: document.metadata.uid ?? key,
      perNode: traitsOf(kind).perNode,
      wasUnready: objects !== undefined && conditionOf(document.status, 'Ready')?.status === 'False',
      isMoved: objects === undefined,
      restarts: replaced.length > 0,
      pods: steadyPodsOf(replaced, all),
      seconds: Math.max(0, ...replaced.map((object) => replacementSeconds(object, all, nodes))),
    });
  }

  /** Returns the rollout, and the wave of each workload by its key; undefined if it moves nothing. */
  impact(
    policy: RolloutPolicy,
    { revision, isBack, project }: Pick<RolloutImpact, 'revision' | 'isBack' | 'project'>,
  ): { readonly impact: RolloutImpact; readonly waves: ReadonlyMap<string, string> } | undefined {
    const all = this.members.filter((member) => project === undefined || member.project === project);
    if (!all.some(({ isMoved }) => !isMoved)) return undefined;
    const assigned = isBack
      ? [{ name: builtInWaves.rollback, soak: '0s', members: all }]
      : assignWaves(policy, revision, all);
    const open = assigned
      .map((wave) => ({ ...wave, members: wave.members.filter(({ isMoved }) => !isMoved) }))
      .filter(({ members }) => members.length > 0);
    const waves = open.map(({ name, soak, members }) => waveOf(name, soak, members, policy.budget));
    const sum = (bound: keyof SecondsRange): number => waves.reduce((all, { seconds }) => all + seconds[bound], 0);
    return {
      impact: {
        revision,
        isBack,
        ...(project !== undefined && { project }),
        waves,
        seconds: { min: sum('min'), max: sum('max') },
      },
      waves: new Map(open.flatMap(({ name, members }) => members.map(({ key }) => [key, name]))),
    };
  }
}

function waveOf(
  name: string,
  soak: string,
  members: readonly RolledWorkload[],
  budget: RolloutPolicy['budget'],
): WaveImpact {
  const restarting = members.filter(({ restarts }) => restarts);
  const pods = restarting.reduce((sum, member) => sum + member.pods, 0);
  const slowest = Math.max(0, ...restarting.map(({ seconds }) => seconds));
  const min = secondsOf(soak);
  const max = min + batchesOf(restarting, budget) * slowest;
  return { name, soak, workloads: members.length, restarts: restarting.length, pods, seconds: { min, max } };
}

/** Returns in how many batches the budget lets workloads restart, each of which is as slow as the slowest of them. */
function batchesOf(members: readonly RolledWorkload[], budget: RolloutPolicy['budget']): number {
  const byProject = new Map<string, number>();
  for (const { project } of members) byProject.set(project, (byProject.get(project) ?? 0) + 1);
  const pods = members.reduce((sum, member) => sum + Math.max(1, member.pods), 0);
  return Math.max(
    Math.ceil(members.length / budget.workloads),
    Math.ceil(Math.max(0, ...byProject.values()) / budget.workloadsPerProject),
    Math.ceil(pods / budget.pods),
  );
}
