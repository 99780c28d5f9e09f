import { type KindScale } from './kind-scale';

/** Returns by what a PinterestWorker scales. */
export const pinterestWorkerScale: KindScale<'PinterestWorker'> = ({ replicas }) => ({
  path: ['replicas'],
  current: replicas,
  min: 1,
});
