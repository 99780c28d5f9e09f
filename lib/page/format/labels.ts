import {
  type Cause,
  type DeployedWorkload,
  type Deployment,
  type DeploymentPreview,
  type Phase,
  type ProjectView,
  type RolloutDetail,
  type WorkloadRevision,
} from '../../contract';

/** Tone of a label, which sets its color and shape; text always accompanies it. */
export type Tone = 'success' | 'progress' | 'warning' | 'error' | 'muted';

/** Text with a tone. */
export interface StatusLabel {
  readonly text: string;
  readonly tone: Tone;
}

/** Labels of deployment phases. */
export const phaseLabels = {
  pending: { text: 'Pending', tone: 'progress' },
  queued: { text: 'Queued', tone: 'warning' },
  applying: { text: 'Applying', tone: 'progress' },
  progressing: { text: 'Progressing', tone: 'progress' },
  ready: { text: 'Ready', tone: 'success' },
  failed: { text: 'Failed', tone: 'error' },
  rollingBack: { text: 'Rolling back', tone: 'warning' },
  rolledBack: { text: 'Rolled back', tone: 'error' },
  superseded: { text: 'Superseded', tone: 'muted' },
  cancelled: { text: 'Cancelled', tone: 'muted' },
} as const satisfies Record<Phase, StatusLabel>;

const finalByPhase = {
  pending: false,
  queued: false,
  applying: false,
  progressing: false,
  ready: true,
  failed: true,
  rollingBack: false,
  rolledBack: true,
  superseded: true,
  cancelled: true,
} as const satisfies Record<Phase, boolean>;

/** Returns whether a phase is final. */
export const isFinalPhase = (phase: Phase): boolean => finalByPhase[phase];

/** Labels of the phases of a deployment on one cluster. */
export const targetPhaseLabels = {
  waiting: { text: 'Waiting', tone: 'muted' },
  applying: { text: 'Applying', tone: 'progress' },
  progressing: { text: 'Progressing', tone: 'progress' },
  ready: { text: 'Ready', tone: 'success' },
  failed: { text: 'Failed', tone: 'error' },
  rolledBack: { text: 'Rolled back', tone: 'error' },
} as const satisfies Record<Deployment['targets'][number]['phase'], StatusLabel>;

/** Labels of the phases of a rollout of the Platform. */
export const rolloutPhaseLabels = {
  Pending: { text: 'Pending', tone: 'progress' },
  Progressing: { text: 'Progressing', tone: 'progress' },
  Paused: { text: 'Paused', tone: 'warning' },
  Failed: { text: 'Failed', tone: 'error' },
  Aborted: { text: 'Aborted', tone: 'muted' },
  RolledBack: { text: 'Rolled back', tone: 'error' },
  Completed: { text: 'Completed', tone: 'success' },
} as const satisfies Record<RolloutDetail['phase'], StatusLabel>;

/** Labels of the phases of a wave. */
export const wavePhaseLabels = {
  Pending: { text: 'Pending', tone: 'muted' },
  Progressing: { text: 'Progressing', tone: 'progress' },
  Soaking: { text: 'Soaking', tone: 'progress' },
  Completed: { text: 'Completed', tone: 'success' },
} as const satisfies Record<RolloutDetail['waves'][number]['phase'], StatusLabel>;

/** Labels of the part of a workload in a rollout. */
export const moveLabels = {
  waiting: { text: 'Will be moved', tone: 'progress' },
  transit: { text: 'In transit', tone: 'progress' },
  moved: { text: 'At the revision', tone: 'success' },
  blocked: { text: 'Cannot be moved', tone: 'warning' },
  unchanged: { text: 'Not moved: nothing would change', tone: 'muted' },
  run: { text: 'Not moved: a run keeps its revision', tone: 'muted' },
  unknown: { text: 'Unknown', tone: 'muted' },
} as const satisfies Record<NonNullable<WorkloadRevision['move']>['state'], StatusLabel>;

/** Labels of workload changes. */
export const changeLabels = {
  created: { text: 'Created', tone: 'success' },
  changed: { text: 'Changed', tone: 'progress' },
  unchanged: { text: 'Unchanged', tone: 'muted' },
  removed: { text: 'Removed', tone: 'error' },
} as const satisfies Record<DeployedWorkload['change'], StatusLabel>;

/** Labels of quota levels. */
export const quotaLevelLabels = {
  ok: { text: 'Enough quota', tone: 'success' },
  filling: { text: 'Filling', tone: 'progress' },
  'nearly-full': { text: 'Nearly full', tone: 'warning' },
  full: { text: 'Full', tone: 'error' },
} as const satisfies Record<ProjectView['quota'][number]['level'], StatusLabel>;

/** Labels of cause owners. */
export const ownerLabels = {
  platform: 'Platform team',
  application: 'Application',
  quota: 'Project quota',
  capacity: 'Cluster capacity',
} as const satisfies Record<Cause['owner'], string>;

/** Labels of preview decisions. */
export const decisionLabels = {
  accept: { text: 'Would start immediately', tone: 'success' },
  queue: { text: 'Would be queued until enough quota is available', tone: 'warning' },
  refuse: { text: 'Would be rejected', tone: 'error' },
} as const satisfies Record<DeploymentPreview['decision'], StatusLabel>;

/** Returns a workload kind in lower case, without the prefix common to all kinds. */
export const kindLabel = (kind: string): string =>
  kind
    .replace(/^Pinterest(?=.)/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();

/** Returns the label of a workload: its phase, or its readiness if it has no phase. */
export const workloadLabel = ({
  ready,
  phase,
}: {
  readonly ready: boolean;
  readonly phase?: string | undefined;
}): StatusLabel =>
  ready ? { text: phase ?? 'Ready', tone: 'success' } : { text: phase ?? 'Not ready', tone: 'error' };

const numberFormat = new Intl.NumberFormat('en');

/** Formats a number with its noun, in the plural unless the number is one. */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${numberFormat.format(number)} ${number === 1 ? one : many}`;
