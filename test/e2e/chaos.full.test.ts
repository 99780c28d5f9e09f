import { describeChaos } from './chaos/suite';

describeChaos('full chaos', 36, { each: 2, actions: 25, networkFaults: 4 });
