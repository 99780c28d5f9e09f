import { isRunKind, type WorkloadKind } from '../../../api';
import { type CanaryDeploymentPath, type CanaryStep } from '../canary-steps';
import { type CanaryKind } from './canary-kind';
import { pinterestCronJobCanary } from './pinterest-cron-job';
import { pinterestDaemonCanary } from './pinterest-daemon';
import { pinterestJobSetCanary } from './pinterest-job-set';
import { pinterestServiceCanary } from './pinterest-service';
import { pinterestStatefulSetCanary } from './pinterest-stateful-set';
import { pinterestTrainingJobCanary } from './pinterest-training-job';

/** Canary tests of all workload kinds. */
export const canaryTests: { readonly [K in WorkloadKind]: CanaryKind<K> } = {
  PinterestService: pinterestServiceCanary,
  PinterestJobSet: pinterestJobSetCanary,
  PinterestCronJob: pinterestCronJobCanary,
  PinterestDaemon: pinterestDaemonCanary,
  PinterestTrainingJob: pinterestTrainingJobCanary,
  PinterestStatefulSet: pinterestStatefulSetCanary,
};

/** Kubernetes cannot change a Job; only the controller, which the other deployment paths use, starts another run. */
const controllerSteps: readonly CanaryStep[] = ['change', 'rollback'];

/** Returns the steps of a kind on a deployment path, in order. */
export function stepsOf(kind: WorkloadKind, deploymentPath: CanaryDeploymentPath): readonly CanaryStep[] {
  const { steps } = canaryTests[kind];
  return deploymentPath === 'synth' && isRunKind(kind)
    ? steps.filter((step) => !controllerSteps.includes(step))
    : steps;
}
