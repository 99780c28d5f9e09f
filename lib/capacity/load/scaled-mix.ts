import { type Load } from './load';

/** Scales the nodes of pools that state them; shares and densities stay. */
export const scaledMix = (mix: Load['mix'], factor: number): Load['mix'] =>
  Object.fromEntries(
    Object.entries(mix).map(([name, pool]) => [
      name,
      pool.nodes === undefined ? pool : { ...pool, nodes: Math.max(1, Math.round(pool.nodes * factor)) },
    ]),
  );
