import { describeVerdicts } from './verdicts';

/** Seed of the generated manifests; PINION_SEED repeats a run. */
const seed = Number(process.env['PINION_SEED'] ?? Date.now() % 2 ** 31);

describeVerdicts(6000, seed);
