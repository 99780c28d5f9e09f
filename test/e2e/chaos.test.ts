import { describeChaos } from './chaos/suite';

// etcd and a leader fail, with the same actions in each run; the full suite has all faults and new seeds.
describeChaos('chaos', 2, { each: 1, actions: 6, networkFaults: 1 }, 558_062);
