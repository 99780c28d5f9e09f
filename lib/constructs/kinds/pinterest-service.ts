import { type Construct } from 'constructs';
import { type PinterestServiceSpec } from '../../api';
import { referenceTemplate } from '../reference-template';
import { ServingConstruct } from '../serving-construct';
import { type WorkloadProps } from '../workload-construct';
import { type PropFields } from '../plus-values';

/** Props of a reference to a service of another app: the fields that determine its names and ports. Target ports are numbers. */
export type PinterestServiceReferenceProps = Pick<PinterestServiceProps, 'project' | 'name' | 'loadBalancer' | 'ports'>;

/** Props of a `PinterestService`. */
export interface PinterestServiceProps extends PropFields<PinterestServiceSpec>, WorkloadProps {}

/** A long-running stateless workload, with its Service, autoscaler and other objects. */
export class PinterestService extends ServingConstruct<'PinterestService'> {
  constructor(scope: Construct, id: string, props: PinterestServiceProps) {
    super(scope, id, 'PinterestService', props);
  }

  /** Returns a service of another app, for its addresses and for connections. Adds no objects. */
  static fromName(scope: Construct, id: string, props: PinterestServiceReferenceProps): PinterestService {
    return new PinterestServiceReference(scope, id, { ...props, template: referenceTemplate });
  }
}

class PinterestServiceReference extends PinterestService {
  override get isReference(): boolean {
    return true;
  }
}
