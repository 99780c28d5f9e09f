import { type Construct } from 'constructs';
import { type PinterestJobSetSpec } from '../api';
import { PlacedWorkload, type WorkloadProps } from './placed-workload';
import { type GivenFields } from './plus-values';

/** Props of a `PinterestJobSet`. */
export interface PinterestJobSetProps extends GivenFields<PinterestJobSetSpec>, WorkloadProps {}

/** Sharded work that runs to completion. */
export class PinterestJobSet extends PlacedWorkload<'PinterestJobSet'> {
  constructor(scope: Construct, id: string, props: PinterestJobSetProps) {
    super(scope, id, 'PinterestJobSet', props);
  }
}
