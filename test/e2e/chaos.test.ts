import { everyKiller } from './chaos/round';
import { describeChaos } from './chaos/suite';

// The first or the second half of the process faults, each once; the long chaos repeats all of them.
describeChaos('chaos', everyKiller / 2, { each: 1, actions: 6, spells: 1 });
