import { type WorkloadKind, workloadKinds } from '../../api';
import { type canaryDeploymentPaths } from '../../programs';

/** One of the ways. */
export type CanaryDoorName = (typeof canaryDeploymentPaths)[number];

/** Kinds that the canary deploys: all. */
export const canaryKinds = Object.keys(workloadKinds) as readonly WorkloadKind[];

/** What a run does with a workload, in its order. */
export const canarySteps = [
  'create',
  'ready',
  'environment',
  'dns',
  'entrance',
  'registered',
  'quota-refusal',
  'change',
  'rollback',
  'delete',
] as const;

/** One of the steps. */
export type CanaryStep = (typeof canarySteps)[number];

/** Seconds that a step may take where nothing else is said; those that wait for pods have the longest. */
export const defaultStepLimits: Readonly<Record<CanaryStep, number>> = {
  create: 15,
  ready: 120,
  environment: 15,
  dns: 30,
  entrance: 15,
  registered: 60,
  'quota-refusal': 60,
  change: 120,
  rollback: 120,
  delete: 120,
};

const served: readonly CanaryStep[] = ['create', 'ready', 'environment', 'dns', 'entrance', 'registered'];
const changed: readonly CanaryStep[] = ['change', 'rollback', 'delete'];
const plain: readonly CanaryStep[] = ['create', 'ready', 'environment'];

const stepTable: Readonly<Record<WorkloadKind, readonly CanaryStep[]>> = {
  PinterestService: [...served, 'quota-refusal', ...changed],
  PinterestStatefulSet: [...served.filter((step) => step !== 'entrance'), ...changed],
  PinterestDaemon: [...plain, ...changed],
  PinterestCronJob: [...plain, ...changed],
  PinterestJobSet: [...plain, ...changed],
  PinterestTrainingJob: [...plain, ...changed],
};

/** A Job cannot be changed: only the controller, which the two other doors have behind them, starts another run of it. */
const needController: readonly CanaryStep[] = ['change', 'rollback'];

/** The steps that a kind takes through a door, in their order. */
export function stepsOf(kind: WorkloadKind, door: CanaryDoorName): readonly CanaryStep[] {
  const isWork = kind === 'PinterestJobSet' || kind === 'PinterestTrainingJob';
  return door === 'synth' && isWork
    ? stepTable[kind].filter((step) => !needController.includes(step))
    : stepTable[kind];
}
