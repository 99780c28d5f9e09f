import { type KindScale } from './kind-scale';

/** Returns how a PinterestCronJob scales. */
export const pinterestCronJobScale: KindScale<'PinterestCronJob'> = ({ parallelism }) => ({
  path: ['parallelism'],
  current: parallelism,
  min: 1,
});
