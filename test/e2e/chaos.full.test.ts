import { describeChaos } from './chaos/suite';

describeChaos('long chaos', 36, { each: 2, actions: 25, spells: 4 });
