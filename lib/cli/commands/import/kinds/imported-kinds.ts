import { type WorkloadKind } from '../../../../api';
import { cronJobOf } from './cron-job';
import { daemonOf } from './daemon';
import { type Fields } from '../fields';
import { type KindSource } from '../kind-source';
import { serviceOf } from './service';
import { statefulSetOf } from './stateful-set';

/** How each native kind becomes one of ours. */
export const importedKinds: Readonly<
  Record<string, { readonly kind: WorkloadKind; specOf(source: KindSource): Fields } | undefined>
> = {
  Deployment: { kind: 'PinterestService', specOf: serviceOf },
  StatefulSet: { kind: 'PinterestStatefulSet', specOf: statefulSetOf },
  CronJob: { kind: 'PinterestCronJob', specOf: cronJobOf },
  DaemonSet: { kind: 'PinterestDaemon', specOf: daemonOf },
};
