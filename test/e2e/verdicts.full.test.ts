import { describeVerdicts } from './verdicts';

/** The same ones again: PINION_SEED. */
const seed = Number(process.env['PINION_SEED'] ?? Date.now() % 2 ** 31);

describeVerdicts(6000, seed);
