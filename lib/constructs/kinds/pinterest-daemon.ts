import { type Construct } from 'constructs';
import { type PinterestDaemonSpec } from '../../api';
import { ServingConstruct } from '../serving-construct';
import { type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a `PinterestDaemon`. */
export interface PinterestDaemonProps extends PropFields<PinterestDaemonSpec>, WorkloadProps {}

/** A workload with one pod on every node of its pools. */
export class PinterestDaemon extends ServingConstruct<'PinterestDaemon'> {
  constructor(scope: Construct, id: string, props: PinterestDaemonProps) {
    super(scope, id, 'PinterestDaemon', props);
  }
}
