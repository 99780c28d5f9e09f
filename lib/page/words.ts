import {
  type Cause,
  type DeploymentPreview,
  type DeployedWorkload,
  type Deployment,
  type Phase,
  type ProjectView,
} from '../contract';

/** How well something is, of which colours and shapes are made; words always stand beside them. */
export type Mood = 'well' | 'busy' | 'warned' | 'bad' | 'quiet';

/** A word for a reader, and how well that is. */
export interface Word {
  readonly text: string;
  readonly mood: Mood;
}

/** Phases of a deployment in words. */
export const phaseWords = {
  pending: { text: 'About to begin', mood: 'busy' },
  queued: { text: 'Waiting in the queue', mood: 'warned' },
  applying: { text: 'Applying', mood: 'busy' },
  progressing: { text: 'Progressing', mood: 'busy' },
  ready: { text: 'Ready', mood: 'well' },
  failed: { text: 'Failed', mood: 'bad' },
  rollingBack: { text: 'Rolling back', mood: 'warned' },
  rolledBack: { text: 'Rolled back', mood: 'bad' },
  superseded: { text: 'Superseded', mood: 'quiet' },
  cancelled: { text: 'Cancelled', mood: 'quiet' },
} as const satisfies Record<Phase, Word>;

const isFinalPhase = {
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

/** Whether nothing follows a phase. */
export const isLastPhase = (phase: Phase): boolean => isFinalPhase[phase];

/** How a deployment stands on one cluster, in words. */
export const targetPhaseWords = {
  waiting: { text: 'Waiting', mood: 'quiet' },
  applying: { text: 'Applying', mood: 'busy' },
  progressing: { text: 'Progressing', mood: 'busy' },
  ready: { text: 'Ready', mood: 'well' },
  failed: { text: 'Failed', mood: 'bad' },
  rolledBack: { text: 'Rolled back', mood: 'bad' },
} as const satisfies Record<Deployment['targets'][number]['phase'], Word>;

/** What becomes of a workload, in words. */
export const changeWords = {
  created: { text: 'Created', mood: 'well' },
  changed: { text: 'Changed', mood: 'busy' },
  unchanged: { text: 'Unchanged', mood: 'quiet' },
  removed: { text: 'Removed', mood: 'bad' },
} as const satisfies Record<DeployedWorkload['change'], Word>;

/** How a quota stands, in words. */
export const levelWords = {
  ok: { text: 'Enough quota', mood: 'well' },
  filling: { text: 'Filling', mood: 'busy' },
  'nearly-full': { text: 'Nearly full', mood: 'warned' },
  full: { text: 'Full', mood: 'bad' },
} as const satisfies Record<ProjectView['quota'][number]['level'], Word>;

/** Who can do something about a cause. */
export const ownerWords = {
  platform: 'Platform team',
  application: 'Application',
  quota: 'Project quota',
  capacity: 'Cluster capacity',
} as const satisfies Record<Cause['owner'], string>;

/** What would come of a deployment now, in words. */
export const decisionWords = {
  accept: { text: 'It would begin now', mood: 'well' },
  queue: { text: 'It would wait in the queue until there is enough quota', mood: 'warned' },
  refuse: { text: 'It would be refused', mood: 'bad' },
} as const satisfies Record<DeploymentPreview['decision'], Word>;

/** The kind of a workload in small letters, without the word that all kinds begin with. */
export const shortKind = (kind: string): string =>
  kind
    .replace(/^Pinterest(?=.)/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();

/** How a workload stands: its phase, or whether it is ready where it names none. */
export const workloadWord = ({
  ready,
  phase,
}: {
  readonly ready: boolean;
  readonly phase?: string | undefined;
}): Word => (ready ? { text: phase ?? 'Ready', mood: 'well' } : { text: phase ?? 'Not ready', mood: 'bad' });

const whole = new Intl.NumberFormat('en');

/** A number with the word for what is counted, in the plural where there is not one. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${whole.format(number)} ${number === 1 ? one : many}`;
