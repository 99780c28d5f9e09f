import { type Construct } from 'constructs';
import { type PinterestTrainingJobSpec } from '../../api';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestTrainingJob`. */
export interface PinterestTrainingJobProps extends PropFields<PinterestTrainingJobSpec>, WorkloadProps {}

/** A distributed training job. */
export class PinterestTrainingJob extends WorkloadConstruct<'PinterestTrainingJob'> {
  constructor(scope: Construct, id: string, props: PinterestTrainingJobProps) {
    super(scope, id, 'PinterestTrainingJob', props);
  }
}
