import { type KindScale } from './kind-scale';

/** Returns by what a PinterestJobSet scales: its parallelism, because the number of shards is part of the work. */
export const pinterestJobSetScale: KindScale<'PinterestJobSet'> = ({ shards, parallelism = shards }) => ({
  path: ['parallelism'],
  current: parallelism,
  min: 1,
});
