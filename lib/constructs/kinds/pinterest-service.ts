import { type Construct } from 'constructs';
import { type PinterestServiceSpec } from '../../api';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestService`. */
export interface PinterestServiceProps extends PropFields<PinterestServiceSpec>, WorkloadProps {}

/** A long-running stateless workload, with its Service, autoscaler and other objects. */
export class PinterestService extends WorkloadConstruct<'PinterestService'> {
  constructor(scope: Construct, id: string, props: PinterestServiceProps) {
    super(scope, id, 'PinterestService', props);
  }
}
