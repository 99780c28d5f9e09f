import { entriesAt } from '../../api';
import { type LiveObject } from '../../kube';

/** Whether a node or a pod says that it is ready. */
export const isReady = (object: LiveObject): boolean =>
  entriesAt(object, 'status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True');
