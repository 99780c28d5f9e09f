import { type KubernetesObject } from '../../expand';
import { type ObjectStatus } from './object-status';

/** An object that should be, and how it stands. */
export interface DesiredObjectStatus {
  readonly object: KubernetesObject;
  readonly status: ObjectStatus;
}
