import { type Construct } from 'constructs';
import { type PinterestCronJobSpec } from '../api';
import { PlacedWorkload, type WorkloadProps } from './placed-workload';
import { type GivenFields } from './plus-values';

/** Props of a `PinterestCronJob`. */
export interface PinterestCronJobProps extends GivenFields<PinterestCronJobSpec>, WorkloadProps {}

/** Work that begins by the clock. */
export class PinterestCronJob extends PlacedWorkload<'PinterestCronJob'> {
  constructor(scope: Construct, id: string, props: PinterestCronJobProps) {
    super(scope, id, 'PinterestCronJob', props);
  }
}
