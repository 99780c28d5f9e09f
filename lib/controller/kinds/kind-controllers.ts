import { isRunKind, workloadKinds, type RunKind, type WorkloadKind } from '../../api';
import { type GangPolicy, type KindController, type RunKindController, type RunPolicy } from './kind-controller';
import { pinterestCronJobController } from './pinterest-cron-job';
import { pinterestDaemonController } from './pinterest-daemon';
import { pinterestJobSetController } from './pinterest-job-set';
import { pinterestServiceController } from './pinterest-service';
import { pinterestStatefulSetController } from './pinterest-stateful-set';
import { pinterestTrainingJobController } from './pinterest-training-job';

/** Controller behavior of every workload kind. */
const kindControllers: {
  readonly [K in WorkloadKind]: K extends RunKind ? RunKindController<K> : KindController<K>;
} = {
  PinterestService: pinterestServiceController,
  PinterestJobSet: pinterestJobSetController,
  PinterestCronJob: pinterestCronJobController,
  PinterestDaemon: pinterestDaemonController,
  PinterestTrainingJob: pinterestTrainingJobController,
  PinterestStatefulSet: pinterestStatefulSetController,
};

/** Returns the controller behavior of a workload kind; it accepts only workloads of that kind. */
export const kindControllerOf = (kind: WorkloadKind): KindController =>
  kindControllers[kind] as unknown as KindController;

/** Returns how a kind runs its Jobs; it accepts only workloads of that kind. */
export const runPolicyOf = (kind: RunKind): RunPolicy => kindControllers[kind].run as unknown as RunPolicy;

/** Returns how a kind starts gangs; undefined if it has none. */
export const gangPolicyOf = (kind: RunKind): GangPolicy | undefined => runPolicyOf(kind).gang;

/** Names of the kinds whose workloads may start as a gang. */
export const gangKinds: readonly RunKind[] = (Object.keys(workloadKinds) as WorkloadKind[])
  .filter(isRunKind)
  .filter((kind) => gangPolicyOf(kind) !== undefined);
