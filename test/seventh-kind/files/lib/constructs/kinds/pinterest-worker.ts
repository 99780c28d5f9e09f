import { type Construct } from 'constructs';
import { type PinterestWorkerSpec } from '../../api';
import { type PropFields } from '../plus-values';
import { WorkloadConstruct, type WorkloadProps } from '../workload-construct';

/** Props of a `PinterestWorker`. */
export interface PinterestWorkerProps extends PropFields<PinterestWorkerSpec>, WorkloadProps {}

/** Pods that take work from a queue; no client reaches them. */
export class PinterestWorker extends WorkloadConstruct<'PinterestWorker'> {
  constructor(scope: Construct, id: string, props: PinterestWorkerProps) {
    super(scope, id, 'PinterestWorker', props);
  }
}
