import fc from 'fast-check';

/** Properties use the same cases in every run, so that failures are reproducible; `e2e:full` uses new ones, and PINION_SEED sets the seed. */
const seed = process.env['PINION_SEED'] || (process.env['PINION_E2E'] === 'full' ? undefined : '1');
if (seed !== undefined) {
  if (!Number.isInteger(Number(seed))) throw new Error(`PINION_SEED takes a whole number, not ${JSON.stringify(seed)}`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
}
