import { type Construct } from 'constructs';
import { type PinterestStatefulSetSpec } from '../api';
import { PlacedWorkload, type WorkloadProps } from './placed-workload';
import { type GivenFields } from './plus-values';

/** Props of a `PinterestStatefulSet`. */
export interface PinterestStatefulSetProps extends GivenFields<PinterestStatefulSetSpec>, WorkloadProps {}

/** A workload whose members have names and volumes of their own. */
export class PinterestStatefulSet extends PlacedWorkload<'PinterestStatefulSet'> {
  constructor(scope: Construct, id: string, props: PinterestStatefulSetProps) {
    super(scope, id, 'PinterestStatefulSet', props);
  }
}
