import { type Clock, type KubeClient } from '../../kube';
import { type Machines } from './machines';
import { type ControlPlaneProbe } from './control-plane-probe';

/** Services that a roll uses. */
export interface RollDeps {
  readonly client: KubeClient;
  readonly machines: Machines;
  readonly probe: ControlPlaneProbe;
  readonly clock: Clock;
}
