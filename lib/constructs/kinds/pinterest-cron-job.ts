import { type Construct } from 'constructs';
import { type PinterestCronJobSpec } from '../../api';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestCronJob`. */
export interface PinterestCronJobProps extends PropFields<PinterestCronJobSpec>, WorkloadProps {}

/** A scheduled workload. */
export class PinterestCronJob extends WorkloadConstruct<'PinterestCronJob'> {
  constructor(scope: Construct, id: string, props: PinterestCronJobProps) {
    super(scope, id, 'PinterestCronJob', props);
  }
}
