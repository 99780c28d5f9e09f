import { describeMutationFuzz } from './mutation-fuzz/suite';

/** Seed of the changes; PINION_SEED draws others. */
describeMutationFuzz(200, Number(process.env['PINION_SEED'] ?? 20_261_126));
