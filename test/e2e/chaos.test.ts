import { everyKiller } from './chaos/round';
import { describeChaos } from './chaos/suite';

// Each fault of processes once.
describeChaos('chaos', everyKiller, { each: 1, actions: 6, spells: 1 });
