import { trueCondition } from '../../api';
import { type LiveObject } from '../../kube';

/** Returns whether a node or a pod has the condition Ready. */
export const isReady = (object: LiveObject): boolean => trueCondition(object['status'], 'Ready') !== undefined;
