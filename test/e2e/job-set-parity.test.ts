import { describeParity } from './job-set-parity/suite';

describeParity('job sets beside the JobSet controller', { sets: 6, concurrency: 6, randomEvents: 4 });
