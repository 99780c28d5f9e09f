/** Benchmarks the controller on a real control plane: `npm run bench:controller [-- PART…] [--SIZE NUMBER…]`. */
import { converge } from './converge';
import { drift } from './drift';
import { failover } from './failover';
import { type Fleet, startFleet } from './fleet';
import { jobSets } from './job-sets';
import { idle } from './idle';
import { scale } from './scale';
import { readArguments, type Sizes, sizes } from './sizes';

/** Parts that start their own control plane. */
const ownClusterParts: Readonly<Record<string, (sizes: Sizes) => Promise<void>>> = {
  converge,
  'job-sets': jobSets,
  scale,
};
/** Parts that share one large fleet; `drift` leaves its controller running for `idle`. */
const fleetParts: Readonly<Record<string, (fleet: Fleet, sizes: Sizes) => Promise<void>>> = { drift, idle, failover };
/** Default parts; `scale` has its own command. */
const defaultParts = ['converge', 'job-sets', 'drift', 'idle', 'failover'];

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  const { names, sizes: chosen } = readArguments(process.argv.slice(2));
  const expected = names.length > 0 ? names : defaultParts;
  for (const name of expected)
    if (!Object.hasOwn(ownClusterParts, name) && !Object.hasOwn(fleetParts, name))
      throw new Error(`unknown part ${name}\n${usage()}`);
  for (const [name, measure] of Object.entries(ownClusterParts)) if (expected.includes(name)) await measure(chosen);
  const selectedFleetParts = Object.entries(fleetParts).filter(([name]) => expected.includes(name));
  if (selectedFleetParts.length === 0) return;
  const fleet = await startFleet(chosen);
  try {
    for (const [, measure] of selectedFleetParts) await measure(fleet, chosen);
  } finally {
    await fleet.bench.stop();
  }
}

function usage(): string {
  const flags = Object.entries(sizes).map(([name, { preset, what }]) => `  --${name.padEnd(14)} ${what} [${preset}]`);
  return `Parts: ${Object.keys({ ...ownClusterParts, ...fleetParts }).join(', ')}\n${flags.join('\n')}`;
}

// An explicit exit: the servers of a control plane do not keep the event loop alive.
const alive = setInterval(() => undefined, 60_000);
main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => clearInterval(alive));
