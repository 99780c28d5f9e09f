import { type KubernetesObject } from '../../expand';
import { type Standing } from './standing';

/** An object that should be, and how it stands. */
export interface Stood {
  readonly object: KubernetesObject;
  readonly standing: Standing;
}
