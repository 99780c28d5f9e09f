import { trueCondition } from '../../api';
import { type LiveObject } from '../../kube';

/** Whether a node or a pod has the condition Ready. */
export const isReady = (object: LiveObject): boolean => trueCondition(object['status'], 'Ready') !== undefined;
