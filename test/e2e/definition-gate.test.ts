import { describeDefinitionGate } from './definition-gate/suite';

/** Seed of the changes; PINION_SEED draws others. */
describeDefinitionGate(60, Number(process.env['PINION_SEED'] ?? 20_261_127), 300_000);
