import { continuousReadiness } from '../report/readiness';
import { replicaCounts, selectorField } from '../report/replica-counts';
import { type KindController } from './kind-controller';

/** Controller behavior of PinterestStatefulSet. */
export const pinterestStatefulSetController: KindController<'PinterestStatefulSet'> = {
  revisionKinds: ['ControllerRevision'],
  statusFields: ({ statuses }) => ({ ...replicaCounts(statuses), ...selectorField(statuses) }),
  readiness: continuousReadiness,
};
