import { type Clock, type KubeClient } from '../../kube';
import { type Machines } from './machines';
import { type MasterProbe } from './master-probe';

/** Everything outside that a roll sees and changes. */
export interface RollWorld {
  readonly client: KubeClient;
  readonly machines: Machines;
  readonly probe: MasterProbe;
  readonly clock: Clock;
}
