import { continuousReadiness } from '../report/readiness';
import { replicaCounts, selectorField } from '../report/replica-counts';
import { type KindController } from './kind-controller';

/** Controller behavior of PinterestWorker. */
export const pinterestWorkerController: KindController<'PinterestWorker'> = {
  revisionKinds: ['ReplicaSet'],
  statusFields: ({ statuses }) => ({ ...replicaCounts(statuses), ...selectorField(statuses) }),
  readiness: continuousReadiness,
};
