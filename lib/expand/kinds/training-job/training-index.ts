import { type EnvVar } from '../../../api';
import { freeze } from '../../objects/freeze';
import { completionIndexAnnotation } from '../../objects/job';

const completionIndex = freeze({ fieldRef: { fieldPath: `metadata.annotations['${completionIndexAnnotation}']` } });

/**
 * Returns a variable with the index of the member in its Job.
 *
 * Kubernetes adds JOB_COMPLETION_INDEX itself, but as the last variable, to which earlier ones cannot refer.
 */
export const indexVariable = (name: string): EnvVar => ({ name, valueFrom: completionIndex });

/** Variable of every member with its index. */
export const taskIndex = 'PINION_TASK_INDEX';
