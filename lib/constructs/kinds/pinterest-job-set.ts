import { type Construct } from 'constructs';
import { type PinterestJobSetSpec } from '../../api';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestJobSet`. */
export interface PinterestJobSetProps extends PropFields<PinterestJobSetSpec>, WorkloadProps {}

/** A sharded workload that runs to completion. */
export class PinterestJobSet extends WorkloadConstruct<'PinterestJobSet'> {
  constructor(scope: Construct, id: string, props: PinterestJobSetProps) {
    super(scope, id, 'PinterestJobSet', props);
  }
}
