import { continuousReadiness } from '../report/readiness';
import { sumOfCounts } from '../report/replica-counts';
import { type KindController } from './kind-controller';

/** Controller behavior of PinterestDaemon. */
export const pinterestDaemonController: KindController<'PinterestDaemon'> = {
  revisionKinds: ['ControllerRevision'],
  statusFields: ({ statuses }) => ({
    desiredNodes: sumOfCounts(statuses, 'desired'),
    readyNodes: sumOfCounts(statuses, 'ready'),
    updatedNodes: sumOfCounts(statuses, 'updated'),
  }),
  readiness: continuousReadiness,
};
