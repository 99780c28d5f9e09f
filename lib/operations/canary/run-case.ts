import { type WorkloadKind } from '../../api';
import { type ProjectContext } from '../../expand';
import { delay } from '../../kube';
import { canaryFailureOf } from './api-calls';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { CanaryFailure, NotChecked } from './canary-failure';
import { type CanaryCase, type CanaryCause, type CanaryStepResult } from './canary-report';
import { type CanaryStep, stepsOf } from './canary-steps';
import { canaryWorkload, canaryWorkloadName } from './canary-workload';
import { type CanaryDeps } from './canary-deps';
import {
  type Checked,
  checkEntrance,
  checkEnvironment,
  checkNames,
  checkRegistration,
  isGone,
  isOfVersion,
} from './case-checks';
import { diagnose } from './diagnose';
import { gatherFacts } from './gather-facts';
import { errorText } from '../../process';

/** One kind that goes through one door. */
export interface CaseRun {
  readonly world: CanaryDeps;
  readonly known: ProjectContext;
  readonly door: CanaryDeployer;
  readonly kind: WorkloadKind;
  /** Id of the run. */
  readonly run: string;
  /** Node that daemons keep to. */
  readonly node: string;
  /** Told right before a step is taken. */
  readonly onStep?: (kind: WorkloadKind, door: CanaryDeployer['name'], step: CanaryStep) => void;
}

/** Milliseconds between two looks. */
const interval = 500;
/** Characters of a reason that are kept. */
const maxWords = 600;

/**
 * Takes the steps of a kind through a door; after one that failed, what was made is taken away and no other is tried.
 * Of a run that is stopped none is taken any more.
 */
export async function runCase(asked: CaseRun): Promise<CanaryCase> {
  const { door, kind, world } = asked;
  if (door.missing !== undefined) return { kind, door: door.name, state: 'skipped', reason: door.missing, steps: [] };
  const steps: CanaryStepResult[] = [];
  let isGood = true;
  for (const step of stepsOf(kind, door.name)) {
    if (world.signal.aborted) break;
    if (!isGood && step !== 'delete') continue;
    asked.onStep?.(kind, door.name, step);
    const result = await takeStep(asked, step);
    isGood = isGood && result.state !== 'failed';
    steps.push(result);
  }
  return { kind, door: door.name, state: isGood && !world.signal.aborted ? 'passed' : 'failed', steps };
}

async function takeStep(asked: CaseRun, step: CanaryStep): Promise<CanaryStepResult> {
  const { clock, limits, signal } = asked.world;
  const begun = clock.now();
  const ending = new AbortController();
  const takeBack = clock.after(limits[step] * 1000, () => ending.abort());
  const over = AbortSignal.any([signal, ending.signal]);
  try {
    await actions[step](asked, over);
    // What took longer than it may is late, whatever came of it.
    if (ending.signal.aborted)
      throw new CanaryFailure('it took too long', { waitedFor: `${step} in ${limits[step]} s` });
    return { step, state: 'passed', seconds: secondsOf(clock.now() - begun) };
  } catch (error) {
    const seconds = secondsOf(clock.now() - begun);
    if (error instanceof NotChecked) return { step, state: 'not-checked', seconds, reason: error.message };
    // It says nothing of the platform.
    if (signal.aborted) return { step, state: 'failed', seconds, reason: 'the run was stopped' };
    const cause = await causeOf(asked, step, canaryFailureOf(error));
    return {
      step,
      state: 'failed',
      seconds,
      reason: cut(errorText(error)),
      cause: { ...cause, message: cut(cause.message) },
    };
  } finally {
    takeBack();
  }
}

const secondsOf = (milliseconds: number): number => Math.round(milliseconds / 10) / 100;
const cut = (text: string): string => (text.length > maxWords ? `${text.slice(0, maxWords)}…` : text);

async function causeOf(
  { world, known, door, kind, run }: CaseRun,
  step: CanaryStep,
  error: unknown,
): Promise<CanaryCause> {
  const facts = error instanceof CanaryFailure ? error.facts : {};
  if (facts.cause) return facts.cause;
  const name = `${canaryWorkloadName(kind, door.name, run)}${step === 'quota-refusal' ? '-large' : ''}`;
  const { call, waitedFor = errorText(error) } = facts;
  return diagnose(
    await gatherFacts(world, known, { kind, door: door.name, step, name, waitedFor, ...(call && { call }) }),
  );
}

/** The workload of a case in a version. */
function workloadOf(asked: CaseRun, version: string, isLarge = false): CanaryInput {
  const { kind, door, run, world, known, node } = asked;
  const { project: namespace, image } = world;
  const name = `${canaryWorkloadName(kind, door.name, run)}${isLarge ? '-large' : ''}`;
  const exposure = known.platform.spec.ingress?.internal ? 'Internal' : 'Cluster';
  return canaryWorkload({ kind, namespace, name, run, version, image, node, large: isLarge, exposure });
}

const first = '1.0.0';
const second = '2.0.0';

/** Looks again and again until something holds. Throws a `CanaryFailure` when time is up. */
async function until(
  what: string,
  { clock }: CanaryDeps,
  signal: AbortSignal,
  holds: () => Promise<boolean>,
): Promise<void> {
  let last: unknown;
  while (!signal.aborted) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      // What is refused now may be taken in a moment: only what is known by name ends the wait.
      if (error instanceof NotChecked || (error instanceof CanaryFailure && error.facts.cause)) throw error;
      // A request that the end of the step cut off says nothing.
      if (!signal.aborted) last = error;
    }
    await delay(clock, interval, signal);
  }
  if (last instanceof Error) throw last;
  throw new CanaryFailure(`waited in vain for ${what}`, { waitedFor: what });
}

const untilVersion = async (asked: CaseRun, version: string, signal: AbortSignal): Promise<void> => {
  const workload = workloadOf(asked, version);
  await until('all of it to be ready', asked.world, signal, () => asked.door.isReady(workload));
  await until('all of it to be of the new version', asked.world, signal, () => isOfVersion(checkedOf(asked, version)));
};

const checkedOf = (asked: CaseRun, version = first): Checked => ({
  world: asked.world,
  known: asked.known,
  workload: workloadOf(asked, version),
});

type Action = (asked: CaseRun, signal: AbortSignal) => Promise<void>;
const check =
  (what: string, look: (checked: Checked) => Promise<boolean>): Action =>
  (asked, signal) =>
    until(what, asked.world, signal, () => look(checkedOf(asked)));

/** Takes away what the quota let in, in the time of a `delete`; where that fails, what the quota did is what is told. */
async function cleared({ door, world: { clock, limits, signal } }: CaseRun, large: CanaryInput): Promise<void> {
  const ending = new AbortController();
  const takeBack = clock.after(limits.delete * 1000, () => ending.abort());
  await door.remove(large, AbortSignal.any([signal, ending.signal])).catch(() => undefined);
  takeBack();
}

const actions: Readonly<Record<CanaryStep, Action>> = {
  create: (asked, signal) => asked.door.put(workloadOf(asked, first), signal),
  ready: (asked, signal) => untilVersion(asked, first, signal),
  environment: check('pods', checkEnvironment),
  dns: check('its name to lead to it', checkNames),
  entrance: check('its Ingress', checkEntrance),
  registered: check('its registration', checkRegistration),
  'quota-refusal': async (asked, signal) => {
    const large = workloadOf(asked, first, true);
    try {
      await until('the quota to hold it back', asked.world, signal, () => asked.door.isHeldBack(large, signal));
    } finally {
      await cleared(asked, large);
    }
  },
  change: async (asked, signal) => {
    await asked.door.put(workloadOf(asked, second), signal);
    await untilVersion(asked, second, signal);
  },
  rollback: async (asked, signal) => {
    await asked.door.goBack(workloadOf(asked, first), signal);
    await untilVersion(asked, first, signal);
  },
  delete: async (asked, signal) => {
    await asked.door.remove(workloadOf(asked, first), signal);
    await until('all of it to be gone', asked.world, signal, () => isGone(checkedOf(asked)));
  },
};
