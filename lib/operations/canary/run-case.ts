import { type WorkloadKind } from '../../api';
import { type ProjectContext } from '../../expand';
import { delay } from '../../kube';
import { canaryFailureOf } from './api-calls';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { CanaryFailure, StepNotApplicableError } from './canary-failure';
import { type CanaryCase, type CanaryCause, type CanaryStepResult } from './canary-report';
import { type CanaryStep } from './canary-steps';
import { stepsOf } from './kinds/canary-kinds';
import { canaryWorkload, canaryWorkloadName } from './canary-workload';
import { type CanaryDeps } from './canary-deps';
import {
  type CheckContext,
  checkIngress,
  checkEnvironment,
  checkNames,
  checkRegistration,
  isGone,
  isOfVersion,
} from './case-checks';
import { diagnose } from './diagnose';
import { gatherFacts } from './gather-facts';
import { errorText } from '../../process';

/** Test of one kind on one deployment path. */
export interface CaseRun {
  readonly deps: CanaryDeps;
  readonly context: ProjectContext;
  readonly deployer: CanaryDeployer;
  readonly kind: WorkloadKind;
  /** Run ID. */
  readonly run: string;
  /** Node that daemons are pinned to. */
  readonly node: string;
  /** Called before each step. */
  readonly onStep?: (kind: WorkloadKind, deploymentPath: CanaryDeployer['name'], step: CanaryStep) => void;
}

/** Poll interval in milliseconds. */
const interval = 500;
/** Maximum length of a reason. */
const maxReasonLength = 600;

/**
 * Runs the steps of a kind on a deployment path; after a failed step, only `delete` runs.
 * An aborted run starts no further steps.
 */
export async function runCase(test: CaseRun): Promise<CanaryCase> {
  const { deployer, kind, deps } = test;
  if (deployer.missing !== undefined)
    return { kind, deploymentPath: deployer.name, state: 'skipped', reason: deployer.missing, steps: [] };
  const steps: CanaryStepResult[] = [];
  let hasPassed = true;
  for (const step of stepsOf(kind, deployer.name)) {
    if (deps.signal.aborted) break;
    if (!hasPassed && step !== 'delete') continue;
    test.onStep?.(kind, deployer.name, step);
    const result = await runStep(test, step);
    hasPassed = hasPassed && result.state !== 'failed';
    steps.push(result);
  }
  return { kind, deploymentPath: deployer.name, state: hasPassed && !deps.signal.aborted ? 'passed' : 'failed', steps };
}

async function runStep(test: CaseRun, step: CanaryStep): Promise<CanaryStepResult> {
  const { clock, limits, signal } = test.deps;
  const startedAt = clock.now();
  const timeout = new AbortController();
  const cancelTimeout = clock.after(limits[step] * 1000, () => timeout.abort());
  const stepSignal = AbortSignal.any([signal, timeout.signal]);
  try {
    await actions[step](test, stepSignal);
    // A step that exceeded its limit fails, even if it succeeded in the end.
    if (timeout.signal.aborted)
      throw new CanaryFailure('the step timed out', { waitedFor: `${step} within ${limits[step]} s` });
    return { step, state: 'passed', seconds: secondsOf(clock.now() - startedAt) };
  } catch (error) {
    const seconds = secondsOf(clock.now() - startedAt);
    if (error instanceof StepNotApplicableError) return { step, state: 'not-checked', seconds, reason: error.message };
    // An aborted run says nothing about the platform.
    if (signal.aborted) return { step, state: 'failed', seconds, reason: 'the run was stopped' };
    const cause = await causeOf(test, step, canaryFailureOf(error));
    return {
      step,
      state: 'failed',
      seconds,
      reason: truncate(errorText(error)),
      cause: { ...cause, message: truncate(cause.message) },
    };
  } finally {
    cancelTimeout();
  }
}

const secondsOf = (milliseconds: number): number => Math.round(milliseconds / 10) / 100;
const truncate = (text: string): string =>
  text.length > maxReasonLength ? `${text.slice(0, maxReasonLength)}…` : text;

async function causeOf(
  { deps, context, deployer, kind, run }: CaseRun,
  step: CanaryStep,
  error: unknown,
): Promise<CanaryCause> {
  const facts = error instanceof CanaryFailure ? error.facts : {};
  if (facts.cause) return facts.cause;
  const name = `${canaryWorkloadName(kind, deployer.name, run)}${step === 'quota-refusal' ? '-large' : ''}`;
  const { call, waitedFor = errorText(error) } = facts;
  return diagnose(
    await gatherFacts(deps, context, {
      kind,
      deploymentPath: deployer.name,
      step,
      name,
      waitedFor,
      ...(call && { call }),
    }),
  );
}

/** Returns the workload of a test in a version. */
function workloadOf(test: CaseRun, version: string, isLarge = false): CanaryInput {
  const { kind, deployer, run, deps, context, node } = test;
  const { project: namespace, image } = deps;
  const name = `${canaryWorkloadName(kind, deployer.name, run)}${isLarge ? '-large' : ''}`;
  const exposure = context.platform.spec.ingress?.internal ? 'Internal' : 'Cluster';
  return canaryWorkload({ kind, namespace, name, run, version, image, node, large: isLarge, exposure });
}

const initialVersion = '1.0.0';
const changedVersion = '2.0.0';

/** Polls until a condition holds. Throws a `CanaryFailure` on timeout. */
async function waitUntil(
  condition: string,
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
      // A rejected request may succeed later; only a diagnosed failure ends the wait.
      if (error instanceof StepNotApplicableError || (error instanceof CanaryFailure && error.facts.cause)) throw error;
      // Ignores requests that the step's timeout aborted.
      if (!signal.aborted) last = error;
    }
    await delay(clock, interval, signal);
  }
  if (last instanceof Error) throw last;
  throw new CanaryFailure(`timed out waiting for ${condition}`, { waitedFor: condition });
}

const waitUntilVersion = async (test: CaseRun, version: string, signal: AbortSignal): Promise<void> => {
  const workload = workloadOf(test, version);
  await waitUntil('the workload to be ready', test.deps, signal, () => test.deployer.isReady(workload));
  await waitUntil('all objects to have the new version', test.deps, signal, () =>
    isOfVersion(checkContext(test, version)),
  );
};

const checkContext = (test: CaseRun, version = initialVersion): CheckContext => ({
  deps: test.deps,
  context: test.context,
  workload: workloadOf(test, version),
});

type Action = (test: CaseRun, signal: AbortSignal) => Promise<void>;
const check =
  (condition: string, holds: (context: CheckContext) => Promise<boolean>): Action =>
  (test, signal) =>
    waitUntil(condition, test.deps, signal, () => holds(checkContext(test)));

/** Deletes a workload that the quota admitted, within the limit of `delete`; ignores errors, so that the quota's failure is reported. */
async function deleteLarge({ deployer, deps: { clock, limits, signal } }: CaseRun, large: CanaryInput): Promise<void> {
  const timeout = new AbortController();
  const cancelTimeout = clock.after(limits.delete * 1000, () => timeout.abort());
  await deployer.remove(large, AbortSignal.any([signal, timeout.signal])).catch(() => undefined);
  cancelTimeout();
}

const actions: Readonly<Record<CanaryStep, Action>> = {
  create: (test, signal) => test.deployer.deploy(workloadOf(test, initialVersion), signal),
  ready: (test, signal) => waitUntilVersion(test, initialVersion, signal),
  environment: check('pods to exist', checkEnvironment),
  dns: check('its DNS name to resolve', checkNames),
  ingress: check('its Ingress to exist', checkIngress),
  registered: check('its pods to be registered', checkRegistration),
  'quota-refusal': async (test, signal) => {
    const large = workloadOf(test, initialVersion, true);
    try {
      await waitUntil('the quota to block the workload', test.deps, signal, () =>
        test.deployer.isBlockedByQuota(large, signal),
      );
    } finally {
      await deleteLarge(test, large);
    }
  },
  change: async (test, signal) => {
    await test.deployer.deploy(workloadOf(test, changedVersion), signal);
    await waitUntilVersion(test, changedVersion, signal);
  },
  rollback: async (test, signal) => {
    await test.deployer.rollBack(workloadOf(test, initialVersion), signal);
    await waitUntilVersion(test, initialVersion, signal);
  },
  delete: async (test, signal) => {
    await test.deployer.remove(workloadOf(test, initialVersion), signal);
    await waitUntil('all objects to be deleted', test.deps, signal, () => isGone(checkContext(test)));
  },
};
