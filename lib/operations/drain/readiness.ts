import { trueCondition } from '../../api';
import { type LiveObject } from '../../kube';

/** Whether a node or a pod says that it is ready. */
export const isReady = (object: LiveObject): boolean => trueCondition(object['status'], 'Ready') !== undefined;
