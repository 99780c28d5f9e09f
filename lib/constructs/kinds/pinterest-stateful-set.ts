import { type Construct } from 'constructs';
import { type PinterestStatefulSetSpec } from '../../api';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestStatefulSet`. */
export interface PinterestStatefulSetProps extends PropFields<PinterestStatefulSetSpec>, WorkloadProps {}

/** A workload whose members have stable names and volumes. */
export class PinterestStatefulSet extends WorkloadConstruct<'PinterestStatefulSet'> {
  constructor(scope: Construct, id: string, props: PinterestStatefulSetProps) {
    super(scope, id, 'PinterestStatefulSet', props);
  }
}
