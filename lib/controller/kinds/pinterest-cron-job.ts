import { statusString } from '../observed/child-status';
import { progressingReadiness } from '../report/readiness';
import { type WorkloadState } from '../report/workload-state';
import { type KindController } from './kind-controller';

/** Controller behavior of PinterestCronJob. */
export const pinterestCronJobController: KindController<'PinterestCronJob'> = {
  revisionKinds: ['Job'],
  statusFields: scheduleFields,
  readiness: ({ workload: { spec } }, open) => {
    if (open) return progressingReadiness(open);
    return spec.suspend
      ? { state: 'ready', reason: 'Suspended', message: 'It is suspended: no run starts.', phase: 'Suspended' }
      : {
          state: 'ready',
          reason: 'Scheduled',
          message: `It runs on the schedule ${spec.schedule}.`,
          phase: 'Scheduled',
        };
  },
};

function scheduleFields({ input: { observed }, statuses }: WorkloadState<'PinterestCronJob'>) {
  const main = statuses.find(({ object }) => object.kind === 'CronJob');
  const status = (main && observed.child('CronJob', main.object.metadata.name)?.status) ?? {};
  const { active } = status;
  const lastScheduleTime = statusString(status, 'lastScheduleTime');
  const lastSuccessfulTime = statusString(status, 'lastSuccessfulTime');
  return {
    active: Array.isArray(active) ? active.length : 0,
    ...(lastScheduleTime !== undefined && { lastScheduleTime }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
  };
}
