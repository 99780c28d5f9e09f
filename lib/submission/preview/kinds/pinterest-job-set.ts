import { type KindScale } from './kind-scale';

/** Returns how a PinterestJobSet scales: by its parallelism, because the number of shards is part of the work. */
export const pinterestJobSetScale: KindScale<'PinterestJobSet'> = ({ shards, parallelism = shards }) => ({
  path: ['parallelism'],
  current: parallelism,
  min: 1,
});
