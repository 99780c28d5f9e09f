import { formatDuration } from '../../../api';
import { podEffects } from '../../../expand';
import {
  type ClusterImpact,
  type RolloutImpact,
  type ImpactOutcome,
  type ImpactWait,
  type SecondsRange,
  type WorkloadImpact,
} from '../../../impact';
import { groupBy } from '../../output/group-by';
import { countText } from '../../output/tally';
import { onOneLine } from '../../service/printable';

/** Workloads with the same outcome and the same reason for it. */
export interface ImpactGroup {
  /** Why, such as `because of Platform cluster spec.environment`. */
  readonly because: string;
  readonly workloads: readonly WorkloadImpact[];
}

/** Workloads with the same outcome. */
export interface ImpactSection {
  readonly outcome: ImpactOutcome;
  readonly title: string;
  /** How many workloads each project, team and tier has, such as `by team: retail 2, search 1`. */
  readonly tallies: readonly string[];
  readonly groups: readonly ImpactGroup[];
}

const titles: Readonly<Record<Exclude<ImpactOutcome, 'unchanged'>, string>> = {
  restarts: 'restart',
  waits: 'wait',
  blocked: 'are blocked: the change rejects them, and their objects stay as they are',
  unknown: 'are unknown',
  changes: 'change without a restart',
  created: 'are created',
  removed: 'are removed',
};

/** Returns a number of workloads with their outcome, such as `1 is blocked: …`. */
function titleOf(count: number, outcome: keyof typeof titles): string {
  const text = titles[outcome];
  return count === 1
    ? `1 ${text.replace(/^are/, 'is').replace('rejects them, and their', 'rejects it, and its')}`
    : `${count} ${text}`;
}

const waits: Readonly<Record<ImpactWait, string>> = {
  deployment: 'for their next deployment',
  canary: 'for a canary run that succeeds with the new profile',
  run: 'for their next run',
  podDeletion: 'until each pod is deleted',
  resume: 'until they are resumed',
  release: 'until they are released or deployed (ExpansionDiffers)',
};

/** Returns the sections of an impact that have workloads, the most urgent first. */
export function impactSections({ workloads }: ClusterImpact): readonly ImpactSection[] {
  const byOutcome = groupBy(workloads, ({ outcome }) => outcome);
  return (Object.keys(titles) as (keyof typeof titles)[]).flatMap((outcome) => {
    const found = byOutcome.get(outcome);
    return found ? [sectionOf(outcome, found)] : [];
  });
}

/** Returns the sentence that counts workloads by outcome. */
export function countsText({ counts }: ClusterImpact): string {
  const { unchanged, ...others } = counts;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = (Object.keys(titles) as (keyof typeof titles)[]).flatMap((outcome) =>
    others[outcome] > 0 ? [titleOf(others[outcome], outcome).split(':')[0]] : [],
  );
  return `${countText(total, 'workload')}: ${[...parts, `${unchanged} unchanged`].join(', ')}`;
}

/** Returns the sentence that nothing restarts at once, or was compared; undefined if pods restart. */
export function calmText(impact: ClusterImpact): string | undefined {
  const { counts, workloads } = impact;
  const isRolled = (one: WorkloadImpact): boolean =>
    one.wave !== undefined && one.objects.every(({ isLater }) => isLater);
  if (workloads.some((one) => one.outcome === 'restarts' && !isRolled(one))) return undefined;
  const { length } = rolloutsOfImpact(impact);
  if (length > 0 && counts.restarts > 0)
    return `No pods restart at once: all restarts happen in the ${length === 1 ? 'rollout' : 'rollouts'}.`;
  return Object.values(counts).some((count) => count > 0) ? 'No pods restart at once.' : 'No workloads were compared.';
}

/** Returns a workload with what happens to its pods, on one line. */
export function workloadLine({ kind, project, name, team, tier, wave, pods, objects, reason }: WorkloadImpact): string {
  const about = [
    ...[`team ${team}`, `tier ${tier}`],
    ...(wave === undefined ? [] : [`wave ${wave}`]),
    ...(pods === undefined ? [] : [podsText(pods)]),
  ].join(', ');
  const later = wave === undefined ? 'later, ' : 'in its wave, ';
  const effects = objects.map(
    ({ object, effect, isLater }) => `${object}: ${isLater ? later : ''}its pods ${podEffects[effect].pods}`,
  );
  const what = reason ?? [...new Set(effects)].join('; ');
  return onOneLine(`${kind} ${project}/${name} (${about})${what === '' ? '' : `: ${what}`}`);
}

/** Returns the rollouts of an impact, that of the Platform before those of Projects. */
export const rolloutsOfImpact = ({ rollout, projectRollouts = [] }: ClusterImpact): readonly RolloutImpact[] => [
  ...(rollout ? [rollout] : []),
  ...projectRollouts,
];

/** Returns what a rollout does, such as `rollout of rev-0a1b2c3d4e`. */
export const rolloutTitle = ({ revision, isBack, project }: RolloutImpact): string =>
  `rollout ${isBack ? 'back from' : 'of'} ${revision}${project === undefined ? '' : ` in project ${project}`}`;

/** Returns a rollout with its waves, one line each. */
export function rolloutLines(rollout: RolloutImpact): readonly string[] {
  const { waves, seconds } = rollout;
  const what = rolloutTitle(rollout);
  return [
    `${what}: ${countText(waves.length, 'wave')}, ${rangeText(seconds)}`,
    ...waves.map(
      ({ name, workloads, restarts, pods, soak, seconds: range }) =>
        `wave ${name}: ${countText(workloads, 'workload')}, ${restarts} restart${pods > 0 ? ` (${podsText(pods)})` : ''}, soak ${soak}, ${rangeText(range)}`,
    ),
  ];
}

/** Returns a range of a duration, such as `10m to 1h12m`. */
export function rangeText({ min, max }: SecondsRange): string {
  const [from, to] = [min, max].map((seconds) => formatDuration({ millis: seconds * 1000 }));
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** Returns how many objects change. */
export const objectsText = (count: number): string => `${countText(count, 'object')} change${count === 1 ? 's' : ''}`;

/** Returns a number of pods, which is an upper bound. */
export const podsText = (pods: number): string => `up to ${countText(pods, 'pod')}`;

function sectionOf(outcome: keyof typeof titles, workloads: readonly WorkloadImpact[]): ImpactSection {
  const pods = workloads.reduce((sum, { pods: own = 0 }) => sum + own, 0);
  return {
    outcome,
    title: `${titleOf(workloads.length, outcome)}${pods > 0 ? `, ${podsText(pods)}` : ''}`,
    tallies: (['project', 'team', 'tier', 'kind'] as const).map((key) => tallyText(workloads, key)),
    groups: [...groupBy(workloads, becauseOf)]
      .map(([because, members]) => ({ because: `${because}${fieldsText(members)}`, workloads: members }))
      .sort((one, other) => other.workloads.length - one.workloads.length),
  };
}

/** Maximum number of fields beside a cause. */
const maxFields = 3;

/** Returns the fields of pods that traced causes change, in parentheses; empty if the causes name them. */
function fieldsText(workloads: readonly WorkloadImpact[]): string {
  const traced = workloads.filter(({ causes }) => causes.length > 0 && !causes.some(namesFields));
  const fields = traced.flatMap(({ objects }) => objects.flatMap((one) => one.fields.map(podField)));
  const found = [...new Set(fields)];
  const more = found.length > maxFields ? [`${found.length - maxFields} more`] : [];
  return found.length === 0 ? '' : ` (${[...found.slice(0, maxFields).map(onOneLine), ...more].join(', ')})`;
}

/** Returns whether a cause says which fields of pods differ. */
const namesFields = (cause: string): boolean =>
  cause.startsWith('this version of pinion') || cause.endsWith('recorded profile)');

/** Returns a field without the path of the pod template, such as `containers[app].image`. */
const podField = (path: string): string => path.replace(/^spec\.(jobTemplate\.spec\.)?template\.(spec\.)?/, '');

/** Maximum number of names in a tally. */
const maxNames = 10;

function tallyText(workloads: readonly WorkloadImpact[], key: 'project' | 'team' | 'tier' | 'kind'): string {
  const counts = [...groupBy(workloads, (one) => one[key])]
    .map(([name, members]) => [name, members.length] as const)
    .sort(([, one], [, other]) => other - one);
  const named = counts.slice(0, maxNames).map(([name, count]) => `${onOneLine(name)} ${count}`);
  const more = counts.length > maxNames ? [`${counts.length - maxNames} more`] : [];
  return `by ${key}: ${[...named, ...more].join(', ')}`;
}

function becauseOf({ outcome, causes, objects, waitsFor, within }: WorkloadImpact): string {
  const wait = waitsFor ? [`${waits[waitsFor]}${within === undefined ? '' : `, at most ${within}`}`] : [];
  const later = !waitsFor && within !== undefined ? [`and move to the new profile within ${within}`] : [];
  const fields = [...new Set(objects.flatMap((one) => one.fields))];
  const why =
    causes.length > 0
      ? [`because of ${causes.map(onOneLine).join(' and ')}`]
      : fields.length > 0 && (outcome === 'restarts' || outcome === 'waits')
        ? [`because of ${fields.map(onOneLine).join(', ')} (causes not traced)`]
        : [];
  return [...wait, ...later, ...why].join(', ');
}
