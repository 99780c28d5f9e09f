import { everyKiller } from './chaos/round';
import { describeChaos } from './chaos/suite';

// The first or the second half of the faults of processes, each once; the long chaos has all of them, again and again.
describeChaos('chaos', everyKiller / 2, { each: 1, actions: 6, spells: 1 });
