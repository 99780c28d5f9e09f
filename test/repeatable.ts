import fc from 'fast-check';

/** Properties draw the same cases in every run, so that what a run refuses can be seen again; `e2e:full` draws new ones, and PINION_SEED names them. */
const seed = process.env['PINION_SEED'] || (process.env['PINION_E2E'] === 'full' ? undefined : '1');
if (seed !== undefined) {
  if (!Number.isInteger(Number(seed))) throw new Error(`PINION_SEED takes a whole number, not ${JSON.stringify(seed)}`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
}
