import { describeDefinitionGate } from './definition-gate/suite';

/** Seed of the changes; PINION_SEED draws others. */
describeDefinitionGate(500, Number(process.env['PINION_SEED'] ?? 20_261_128), 1_800_000);
