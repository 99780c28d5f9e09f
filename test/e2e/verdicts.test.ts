import { describeVerdicts } from './verdicts';

describeVerdicts(300, 20_261_121);
