import { processFaultCount } from './chaos/round';
import { describeChaos } from './chaos/suite';

// The first or the second half of the process faults, once each; the full chaos suite repeats all of them.
describeChaos('chaos', processFaultCount / 2, { each: 1, actions: 6, networkFaults: 1 });
