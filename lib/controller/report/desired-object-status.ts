import { type KubernetesObject } from '../../expand';
import { type ObjectStatus } from './object-status';

/** Desired object with its status. */
export interface DesiredObjectStatus {
  readonly object: KubernetesObject;
  readonly status: ObjectStatus;
}
