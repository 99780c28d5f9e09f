import { type KindScale } from './kind-scale';

/** Returns how a PinterestTrainingJob scales: by its workers, if it has any. */
export const pinterestTrainingJobScale: KindScale<'PinterestTrainingJob'> = ({ roles: { worker } }) =>
  worker && { path: ['roles', 'worker', 'replicas'], current: worker.replicas, min: 1 };
