import { describeDefinitionGate } from './definition-gate/suite';

/** Seed of the changes; PINION_SEED draws others. */
const seed = Number(process.env['PINION_SEED'] ?? 20_261_128);

describeDefinitionGate(500, seed, 1_800_000);
describeDefinitionGate(500, seed, 1_800_000, '1.35');
