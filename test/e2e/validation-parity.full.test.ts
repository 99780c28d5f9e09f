import { describeValidationParity } from './validation-parity';

/** Seed of the generated manifests; PINION_SEED repeats a run. */
const seed = Number(process.env['PINION_SEED'] ?? Date.now() % 2 ** 31);

describeValidationParity(6000, seed);
