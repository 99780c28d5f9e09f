import { describeParity } from './job-set-parity/suite';

describeParity('many job sets beside the JobSet controller', { sets: 200, concurrency: 40, randomEvents: 8 });
